// A trap rule with more than the editor can hold: shown whole, and not changed.

import { useState } from 'preact/hooks'
import { go, hrefOf } from '../core/address.ts'
import { html } from '../core/html.ts'
import { may } from '../core/session.ts'
import { ChangesLink } from '../parts/changes-link.ts'
import { Facts, Section } from '../parts/facts.ts'
import { DeleteDialog } from '../parts/records.ts'
import { ruleTexts as words } from '../texts/traps.ts'
import { type DryRun, DryRunResult, useDryRun } from './dry-run.ts'
import type { Rule, RuleParameter } from './rule.ts'
import { whenText } from './words.ts'

const conditionText = ({ faultOid = '', position = '', name = '', value = '' }: RuleParameter) => {
  const place = [name, position].filter(Boolean).join(' / ')
  return [`${place || '*'} = ${value || '*'}`, faultOid && words.ofEvent(faultOid)].filter(Boolean).join(' ')
}

const deviceText = (id: string, name: string) => (id === '0' ? words.anyDevice : `${name} (${id})`)

const Devices = ({ trapDevice }: Rule) => html`<table class="small">
  <thead><tr><th scope="col">${words.device}</th><th scope="col">${words.conditions}</th></tr></thead>
  <tbody>
    ${trapDevice.map(
      ({ devID, displayName, trapFilterEventParasInfo: conditions }, index) => html`<tr key=${index}>
        <td>${deviceText(devID, displayName)}</td>
        <td>${conditions.length === 0 ? words.anyValues : conditions.map((one, at) => html`<div key=${at}>${conditionText(one)}</div>`)}</td>
      </tr>`,
    )}
  </tbody>
</table>`

function Interfaces({ trapDevice, trapInterfaces }: Rule) {
  if (trapInterfaces.length === 0) return null
  const names = new Map(trapDevice.map(({ devID, displayName }) => [devID, displayName]))
  return html`<table class="small">
    <thead><tr><th scope="col">${words.interface}</th><th scope="col">${words.device}</th></tr></thead>
    <tbody>
      ${trapInterfaces.map(
        ({ ifDesc, deviceId }, index) => html`<tr key=${index}>
          <td>${ifDesc || '*'}</td>
          <td>${deviceId ? deviceText(deviceId, names.get(deviceId) ?? '') : words.anyDevice}</td>
        </tr>`,
      )}
    </tbody>
  </table>`
}

export function RuleReading({ rule }: { rule: Rule }) {
  const [deleting, setDeleting] = useState(false)
  const { hits, lastHit, ...body } = rule
  const run = useDryRun<DryRun>('/fault/trapRule/dryRun', body)
  const facts = [
    [words.oid, rule.trapOId],
    [words.what, words.group[rule.trapGroup ?? '']],
    [words.when, whenText(rule)],
  ] as const
  return html`<article class="page editor">
    <div>
      <header class="page-head"><h1>${rule.trapRuleName || `${words.one} ${rule.id}`}</h1><${ChangesLink} resource="trapRule" id=${rule.id} /></header>
      <p>${words.beyond} ${words.beyondHow(rule.id)}</p>
      <${Section} title=${words.what}><${Facts} facts=${facts} /><//>
      <${Section} title=${words.where}><${Devices} ...${rule} /><${Interfaces} ...${rule} /><//>
      <footer class="buttons">
        <a class="button" href=${hrefOf('rules')}>${words.title}</a>
        <span class="gap"></span>
        ${may('operator') && html`<button type="button" class="plain" onClick=${() => setDeleting(true)}>${words.delete}</button>`}
      </footer>
    </div>
    <aside><${DryRunResult} ...${run} /></aside>
    ${deleting && html`<${DeleteDialog} title=${words.delete} hint=${words.deleteHint} path=${`/fault/trapRule/${rule.id}`} close=${() => setDeleting(false)} done=${() => go(hrefOf('rules'))} />`}
  </article>`
}
