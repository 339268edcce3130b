/** The OID itself and everything above it. */
export function ancestors(oid: string): string[] {
  const found = [oid]
  for (let cut = oid.lastIndexOf('.'); cut > 0; cut = oid.lastIndexOf('.', cut - 1))
    found.push(oid.slice(0, cut))
  return found
}
