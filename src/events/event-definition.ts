// What a definition of an event says, as it is shipped with the program.

/** A variable of a notification: where its value comes from, and what that value is called. */
export interface EventParameter {
  /** The variable's OID without its instance. */
  readonly oid: string
  readonly name: string
  /** It identifies the alarm's resource: a fault and its recovery agree in all of these. */
  readonly isKey?: true
  /** The value is the instance part of the variable's OID (a table's index), not the variable's value. */
  readonly fromIndex?: true
  /** Labels for the numbers of an enumeration: `1=up;2=down;3=testing`. */
  readonly labels?: string
}

/** One notification as the standards define it, and what it means as an alarm. */
export interface StandardEvent {
  /** SNMPv2 form (RFC 3584), no leading dot. */
  readonly eventOid: string
  readonly name: string
  /** 1 Critical, 2 Major, 3 Minor, 4 Warning, 5 Info. A notification that ends an alarm is 5. */
  readonly alarmLevel: 1 | 2 | 3 | 4 | 5
  readonly alarmCategory: number
  /** Text over the parameters' names, `{deviceName}` and `{deviceIp}`. */
  readonly alarmDesc: string
  readonly parameter?: readonly EventParameter[]
  /** The events whose alarm, on the same key parameters, this notification ends. */
  readonly recovers?: readonly string[]
  /** Its alarm means that what hangs behind the interface is out of reach, or the device itself where it names none. */
  readonly outOfReach?: true
  /** 0: kept as a trap, makes no alarm. Absent: makes an alarm. */
  readonly handling?: 0
}

/** Ids are part of the interface: a client may filter by them, so a number is never given a new meaning. */
export const category = {
  system: 1,
  availability: 2,
  link: 3,
  status: 4,
  power: 5,
  routing: 6,
  bridging: 7,
  security: 8,
  threshold: 9,
  configuration: 10,
  wireless: 11,
  service: 12,
  other: 15,
} as const

export const alarmCategories: readonly { readonly id: number; readonly name: string }[] = [
  { id: category.system, name: 'System' },
  { id: category.availability, name: 'Device availability' },
  { id: category.link, name: 'Interface and link' },
  { id: category.status, name: 'Device status' },
  { id: category.power, name: 'Environment and power' },
  { id: category.routing, name: 'Routing' },
  { id: category.bridging, name: 'Bridging and spanning tree' },
  { id: category.security, name: 'Security' },
  { id: category.threshold, name: 'Performance and thresholds' },
  { id: category.configuration, name: 'Configuration' },
  { id: category.wireless, name: 'Wireless' },
  { id: category.service, name: 'Service' },
  { id: category.other, name: 'Other' },
]
