// Whether a message reports a fault or its recovery, by the words that all vendors use. For messages whose definition does
// not say where the state is found.

export type Transition = 'raise' | 'clear'

/** Characters of a text that are searched. */
const searchedLength = 2000

// The last word of a code, such as FAN_OK, PSOK or LINK_DOWN. UPDOWN is used for both.
const recoveryCode =
  /(?:^|_)(?:UP|ENABLED|ON)$|(?:OK|OKAY|CLEAR|CLEARED|RECOVER|RECOVERED|RECOVERY|RESTORED|NORMAL|ALIVE|INSERTED)$/
const faultCode =
  /(?:^|_)(?:DN|OUT|OFF)$|(?:DOWN|FAIL|FAILED|FAILURE|FAULT|BAD|ERR|ERROR|LOST|DEAD|REMOVED|DISABLED|VIOLATION|ALARM)$/
const eitherCode = /UP_?DOWN$/

// A message that says that an alarm is cleared may repeat what was wrong.
const alarmCleared =
  /\b(?:alarms?|condition|failure|fault) (?:has been |have been |is |was )?(?:cleared|released|ended|over)\b/i

// A negated recovery is a fault, whatever else the text says.
const negatedRecovery =
  /\b(?:not (?:been |yet |in |being )?(?:recovered|restored|cleared|ok|okay|normal|present|operational|functioning|working|responding|rotating|running|detected|available|supported|reachable|synchronized|good|up)|no longer (?:present|responding|operational|reachable|available|functioning|working)|needs? (?:to be )?(?:replac(?:ed|ement)|repaired|attention)|failed to|unable to|g(?:ave|ives?|iving) up|cannot|could not|recovery failed|out of (?:service|range|power)|unsynchronized)\b/i

// Phrases that report a recovery even where the text also names the fault.
const recoveryPhrase =
  /\b(?:cleared|clears|de-?asserted|recovered|recovers|restored|resolved|released|returned|back to|back within|no longer|operating normally|turned on|switched on|powered on|re-?activated|re-?established|(?:is|are|now|been|status) (?:now |back )?(?:ok|okay|normal|good|fine|operational|functioning|working|present|alive|healthy)|within (?:the )?(?:normal|limits?|range))\b/i

/** Group 1 is matched by words for faults, and not by words for recoveries. */
const faultOrRecoveryWord =
  /\b(?:(fail(?:ed|s|ure|ures)?|fault(?:y|s)?|down|lost|loss|removed|missing|absent|bad|wrong|errors?|exceed(?:s|ed|ing)?|over|above|below|high|higher|low|lower|critical|minor|major|alarm|violation|dead|unreachable|degraded|abnormal|broken|less than|stopped|shutdown|expired|deleted|defective|insufficient|occurr?ed|occurring|set|raised|detected|disabled|inactive|off|problem|invalid|overheat(?:ed|ing)?|overload(?:ed)?|unhealthy|suspended|disconnected|non-functional|bypass)|(?:up|ready|healthy|optimal|ok|okay|normal|inserted|present|installed|active|alive|operational|good|established|full|works?|functioning|enabled|synchronized|reachable|online))\b/i

/** A mark such as `[cleared]`, beside a text that repeats what was wrong. */
const clearMark = /\[clear(?:ed)?\]|\bseverity\W{1,3}cleared\b|\bde-?asserted\b|\bDYNAMIC CLEAR\b/i

/** Whether a mark such as `[cleared]` says that the fault is over. */
export const hasClearMark = (text: string) => clearMark.test(text.slice(0, searchedLength))

/** Whether a text reports the recovery of a fault that it may also name. */
export function saysRecovered(text: string): boolean {
  const searched = text.slice(0, searchedLength)
  return alarmCleared.test(searched) || (recoveryPhrase.test(searched) && !negatedRecovery.test(searched))
}

/** The state that something changed to: `from OK to Input Fault`, `up -> down`. Undefined if it is not written so. */
function newState(text: string): string | undefined {
  const arrow = text.lastIndexOf('->')
  const from = text.search(/\bfrom /i)
  const to = arrow >= 0 ? arrow : from < 0 ? -1 : text.indexOf(' to ', from + 5)
  return to < 0 || (arrow < 0 && to - from > 40) ? undefined : text.slice(to + 3, to + 33)
}

/** What the code and the text of a message report; undefined if they report neither. */
export function transitionOf(mnemonic: string, text: string): Transition | undefined {
  const code = mnemonic.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
  const searched = `${code.replaceAll('_', ' ')}: ${text.slice(0, searchedLength)}`
  if (recoveryCode.test(code)) return 'clear'
  if (alarmCleared.test(searched)) return 'clear'
  const state = newState(searched) ?? ''
  if (/^\W*on\b/i.test(state)) return 'clear'
  const changedTo = faultOrRecoveryWord.exec(state)
  if (changedTo) return changedTo[1] === undefined ? 'clear' : 'raise'
  if (negatedRecovery.test(searched)) return 'raise'
  if (recoveryPhrase.test(searched)) return 'clear'
  if (faultCode.test(code) && !eitherCode.test(code)) return 'raise'
  const found = faultOrRecoveryWord.exec(searched)
  if (!found) return undefined
  return found[1] === undefined ? 'clear' : 'raise'
}
