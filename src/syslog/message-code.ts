// Finds the vendor's code of a message: the name under which its documentation lists it.

import { type MessageCode, severityOf } from './syslog-message.ts'

/** How far into a message a code may begin. */
const maxStart = 200
const maxLength = 160

// %LINK-3-UPDOWN, %ROUTING-BGP-5-ADJCHANGE, %LINK-W-Down, %ASA-4-106023
const afterPercent =
  /^%([A-Za-z][\w ]{0,40}(?:-[A-Za-z]\w{0,40}){0,3})-([0-7]|[A-Z])-([A-Za-z0-9][\w-]{0,60}(?: Present)?) ?(?::|$)/
// Some messages name no severity: %LOOPBACK-DETECT
const withoutSeverity = /^%([A-Z][A-Z0-9_]{1,40})-([A-Z][A-Z0-9_]{1,60}) ?:/
// %%10IFNET/3/LINK_UPDOWN(t):, IFNET/4/LINK_STATE(l)[12]:
const withSlashes =
  /^(?:%%\d{2})?([A-Z][A-Z0-9_]{1,40})\/([0-7])\/([A-Za-z][\w-]{0,60})(?:\([a-z]\))?(?:\[\d{1,10}\])? ?:/
// The same as the first, by a device that lost its percent sign.
const withoutPercent = /^([A-Z][A-Z0-9_]{1,40})-([0-7])-([A-Z][A-Z0-9_]{1,60}) ?:/
// SNMP_TRAP_LINK_DOWN:, %IFM_OSTATE_DN:
const withUnderscores = /^%?([A-Z][A-Z0-9]{1,20}(?:_[A-Z0-9]{1,20}){1,8})(?::|$)/
// <Info:vlan.msgs.portLinkStateDown>
const inAngleBrackets = /^<([A-Z][a-z]{2,4}):([\w.]{2,80})>/

export interface FoundCode {
  readonly code: MessageCode
  readonly start: number
  /** Where the text begins. */
  readonly end: number
}

export function findCode(text: string): FoundCode | undefined {
  return codeAt(text, 0) ?? laterCode(text)
}

/** A program, a slot or a repeated header may come before a code that has a percent sign. */
function laterCode(text: string): FoundCode | undefined {
  let tried = 0
  for (let at = text.indexOf('%', 1); at >= 0 && at < maxStart && tried < 4; at = text.indexOf('%', at + 1)) {
    const found = codeAt(text, at)
    if (found) return found
    tried += 1
  }
  return undefined
}

/** What every form begins with: a text that does not is not looked at any further. */
const beginning = /^(?:%%?[\dA-Za-z]|[A-Z][A-Z\d]|<[A-Z])/

function codeAt(text: string, start: number): FoundCode | undefined {
  if (!beginning.test(text.slice(start, start + 3))) return undefined
  const head = text.slice(start, start + maxLength)
  const classic = afterPercent.exec(head) ?? withSlashes.exec(head) ?? withoutPercent.exec(head)
  if (classic) {
    const [whole, family = '', severity = '', mnemonic = ''] = classic
    const level = /\d/.test(severity) ? Number(severity) : severityOf(severity)
    return { code: codeOf(family, mnemonic, level), start, end: start + whole.length }
  }
  const unrated = withoutSeverity.exec(head)
  if (unrated) {
    const [whole, family = '', mnemonic = ''] = unrated
    return { code: codeOf(family, mnemonic, undefined), start, end: start + whole.length }
  }
  const single = withUnderscores.exec(head)
  if (single) {
    const [whole, name = ''] = single
    return {
      code: { name, otherNames: [], mnemonic: name, severity: undefined },
      start,
      end: start + whole.length,
    }
  }
  const inAngles = inAngleBrackets.exec(head)
  if (!inAngles) return undefined
  const [whole, severity = '', name = ''] = inAngles
  const code = {
    name: name.toUpperCase(),
    otherNames: [],
    mnemonic: name.slice(name.lastIndexOf('.') + 1),
    severity: severityOf(severity),
  }
  return { code, start, end: start + whole.length }
}

function codeOf(family: string, mnemonic: string, severity: number | undefined): MessageCode {
  const parts = family.toUpperCase().split('-')
  const names = [parts.join('-'), parts[0], parts.at(-1)].map((part) => `${part}-${mnemonic.toUpperCase()}`)
  // PIX and FTD send the messages of ASA under their own name.
  const [name = '', ...otherNames] = names.map((one) => one.replace(/^(?:PIX|FTD|FWSM)-/, 'ASA-'))
  return { name, otherNames: [...new Set(otherNames)].filter((other) => other !== name), mnemonic, severity }
}
