// Notifications that report one fault under several OIDs: whichever comes, there is one alarm. Syslog messages report it under
// the first.

/** By the OID of the other notification. */
const others: ReadonlyMap<string, string> = new Map([
  // bgpBackwardTransition of RFC 1269 and 1657, and bgpBackwardTransNotification of RFC 4273.
  ['1.3.6.1.2.1.15.7.2', '1.3.6.1.2.1.15.0.2'],
])

/** What the alarms of an event are known by. */
export const faultOf = (eventOid: string): string => others.get(eventOid) ?? eventOid
