// When a trap rule or a maintenance window is in force: as the service sends it, and as the editors hold it.

/** Limits as they are in a record. */
export interface Limits {
  readonly exectimeType?: string
  readonly startDay?: string
  readonly endDay?: string
  readonly startTime?: string
  readonly endTime?: string
  readonly selectedWeekDay?: string
}

export interface Validity {
  readonly weekdays: readonly number[]
  readonly startTime: string
  readonly endTime: string
  readonly startDay: string
  readonly endDay: string
  readonly isSpan: boolean
}

/** Always in force. */
export const unlimited: Validity = {
  weekdays: [],
  startTime: '',
  endTime: '',
  startDay: '',
  endDay: '',
  isSpan: false,
}

const types = { none: '0', each: '1', span: '2' } as const

export const validityOf = (limits: Limits): Validity => ({
  weekdays: (limits.selectedWeekDay ?? '').split(',').filter(Boolean).map(Number),
  startTime: limits.startTime ?? '',
  endTime: limits.endTime ?? '',
  startDay: limits.startDay ?? '',
  endDay: limits.endDay ?? '',
  isSpan: limits.exectimeType === types.span,
})

/** All of them: what is empty here is cleared there. */
export function limitsOf({
  weekdays,
  startTime,
  endTime,
  startDay,
  endDay,
  isSpan,
}: Validity): Required<Limits> {
  const limits = {
    startDay: startDay.trim(),
    endDay: endDay.trim(),
    startTime: startTime.trim(),
    endTime: endTime.trim(),
    selectedWeekDay: [...weekdays].sort().join(','),
  }
  const hasLimits = Object.values(limits).some((limit) => limit !== '')
  return { exectimeType: !hasLimits ? types.none : isSpan ? types.span : types.each, ...limits }
}
