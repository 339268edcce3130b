// Whether a message says that something has failed or that it works again, by the words that every vendor uses. For
// definitions that cannot name the state more exactly.

export type Transition = 'raise' | 'clear'

/** Of a longer text, this much is searched. */
const searchedLength = 2000

// The last word of a code, such as FAN_OK, PSOK or LINK_DOWN. A code that ends in a failure may announce its end as well.
const codeEndsWell =
  /(?:^|_)(?:UP|ENABLED|ON)$|(?:OK|OKAY|CLEAR|CLEARED|RECOVER|RECOVERED|RECOVERY|RESTORED|NORMAL|ALIVE|INSERTED)$/
const codeEndsBadly =
  /(?:^|_)(?:DN|OUT|OFF)$|(?:DOWN|FAIL|FAILED|FAILURE|FAULT|BAD|ERR|ERROR|LOST|DEAD|REMOVED|DISABLED|VIOLATION|ALARM)$/
const codeIsBoth = /UP_?DOWN$/

// Alarms that are said to be over may repeat what was wrong.
const alarmIsOver =
  /\b(?:alarms?|condition|failure|fault) (?:has been |have been |is |was )?(?:cleared|released|ended|over)\b/i

// A denied good word is a bad one, whatever else the text says.
const denied =
  /\b(?:not (?:been |yet |in |being )?(?:recovered|restored|cleared|ok|okay|normal|present|operational|functioning|working|responding|rotating|running|detected|available|supported|reachable|synchronized|good|up)|no longer (?:present|responding|operational|reachable|available|functioning|working)|needs? (?:to be )?(?:replac(?:ed|ement)|repaired|attention)|failed to|unable to|g(?:ave|ives?|iving) up|cannot|could not|recovery failed|out of (?:service|range|power)|unsynchronized)\b/i

// Words that name a fault in order to say that it is over.
const over =
  /\b(?:cleared|clears|de-?asserted|recovered|recovers|restored|resolved|released|returned|back to|back within|no longer|operating normally|turned on|switched on|powered on|re-?activated|re-?established|(?:is|are|now|been|status) (?:now |back )?(?:ok|okay|normal|good|fine|operational|functioning|working|present|alive|healthy)|within (?:the )?(?:normal|limits?|range))\b/i

const either =
  /\b(?:(fail(?:ed|s|ure|ures)?|fault(?:y|s)?|down|lost|loss|removed|missing|absent|bad|wrong|errors?|exceed(?:s|ed|ing)?|over|above|below|high|higher|low|lower|critical|minor|major|alarm|violation|dead|unreachable|degraded|abnormal|broken|less than|stopped|shutdown|expired|deleted|defective|insufficient|occurr?ed|occurring|set|raised|detected|disabled|inactive|off|problem|invalid|overheat(?:ed|ing)?|overload(?:ed)?|unhealthy|suspended|disconnected|non-functional|bypass)|(?:up|ready|healthy|optimal|ok|okay|normal|inserted|present|installed|active|alive|operational|good|established|full|works?|functioning|enabled|synchronized|reachable|online))\b/i

/** A mark of its own, beside a text that repeats what was wrong. */
const markedOver = /\[clear(?:ed)?\]|\bseverity\W{1,3}cleared\b|\bde-?asserted\b|\bDYNAMIC CLEAR\b/i

/** Whether a mark beside the text says that the fault is over. */
export const isMarkedOver = (text: string) => markedOver.test(text.slice(0, searchedLength))

/** Whether a text names a fault in order to say that it is over. */
export function saysOver(text: string): boolean {
  const searched = text.slice(0, searchedLength)
  return alarmIsOver.test(searched) || (over.test(searched) && !denied.test(searched))
}

/** The state that something changed to: `from OK to Input Fault`, `up -> down`. Undefined if it is not written so. */
function newState(text: string): string | undefined {
  const arrow = text.lastIndexOf('->')
  const from = text.search(/\bfrom /i)
  const to = arrow >= 0 ? arrow : from < 0 ? -1 : text.indexOf(' to ', from + 5)
  return to < 0 || (arrow < 0 && to - from > 40) ? undefined : text.slice(to + 3, to + 33)
}

/** Undefined if the words say neither. */
export function transitionOf(mnemonic: string, text: string): Transition | undefined {
  const code = mnemonic.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
  const searched = `${code.replaceAll('_', ' ')}: ${text.slice(0, searchedLength)}`
  if (codeEndsWell.test(code)) return 'clear'
  if (alarmIsOver.test(searched)) return 'clear'
  const state = newState(searched) ?? ''
  if (/^\W*on\b/i.test(state)) return 'clear'
  const changedTo = either.exec(state)
  if (changedTo) return changedTo[1] === undefined ? 'clear' : 'raise'
  if (denied.test(searched)) return 'raise'
  if (over.test(searched)) return 'clear'
  if (codeEndsBadly.test(code) && !codeIsBoth.test(code)) return 'raise'
  const found = either.exec(searched)
  if (!found) return undefined
  return found[1] === undefined ? 'clear' : 'raise'
}
