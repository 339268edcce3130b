// The objects that thresholds watch most. RMON-MIB tells of them by an OID (`alarmVariable`): with these names its alarms
// can be read where no module is loaded.

type Columns = Readonly<Record<number, string>>

/** By the row of their table: the columns, by their number. */
const tables: Readonly<Record<string, Columns>> = {
  // IF-MIB
  '1.3.6.1.2.1.2.2.1.': {
    ...{ 5: 'ifSpeed', 7: 'ifAdminStatus', 8: 'ifOperStatus', 10: 'ifInOctets', 11: 'ifInUcastPkts' },
    ...{ 12: 'ifInNUcastPkts', 13: 'ifInDiscards', 14: 'ifInErrors', 15: 'ifInUnknownProtos' },
    ...{ 16: 'ifOutOctets', 17: 'ifOutUcastPkts', 18: 'ifOutNUcastPkts', 19: 'ifOutDiscards' },
    ...{ 20: 'ifOutErrors', 21: 'ifOutQLen' },
  },
  '1.3.6.1.2.1.31.1.1.1.': {
    ...{ 2: 'ifInMulticastPkts', 3: 'ifInBroadcastPkts', 4: 'ifOutMulticastPkts' },
    ...{ 5: 'ifOutBroadcastPkts', 6: 'ifHCInOctets', 7: 'ifHCInUcastPkts', 8: 'ifHCInMulticastPkts' },
    ...{ 9: 'ifHCInBroadcastPkts', 10: 'ifHCOutOctets', 11: 'ifHCOutUcastPkts' },
    ...{ 12: 'ifHCOutMulticastPkts', 13: 'ifHCOutBroadcastPkts', 15: 'ifHighSpeed' },
  },
  // RMON-MIB
  '1.3.6.1.2.1.16.1.1.1.': {
    ...{ 3: 'etherStatsDropEvents', 4: 'etherStatsOctets', 5: 'etherStatsPkts' },
    ...{ 6: 'etherStatsBroadcastPkts', 7: 'etherStatsMulticastPkts', 8: 'etherStatsCRCAlignErrors' },
    ...{ 9: 'etherStatsUndersizePkts', 10: 'etherStatsOversizePkts', 11: 'etherStatsFragments' },
    ...{ 12: 'etherStatsJabbers', 13: 'etherStatsCollisions' },
  },
  // HOST-RESOURCES-MIB
  '1.3.6.1.2.1.25.2.3.1.': { 6: 'hrStorageUsed' },
  '1.3.6.1.2.1.25.3.3.1.': { 2: 'hrProcessorLoad' },
}

/** The name and the row of an instance of these objects: `ifInOctets.3`. */
export function watchedObject(oid: string): string | undefined {
  const entry = Object.keys(tables).find((one) => oid.startsWith(one))
  if (entry === undefined) return undefined
  const dot = oid.indexOf('.', entry.length)
  if (dot < 0) return undefined
  const name = tables[entry]?.[Number(oid.slice(entry.length, dot))]
  return name && `${name}${oid.slice(dot)}`
}
