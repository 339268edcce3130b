// Text filters: wildcards, literal signs, letter case in every alphabet, on every text filter.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { load, refused, values } from './reading.ts'

const service = await startService()

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
async function zones(...names: string[]): Promise<void> {
  await load(service, 'zone', ['name', ...names.map(quoted)])
}
async function found(pattern: string): Promise<string[]> {
  const answer = await service.get(`/ram/zone?size=1000&name=${encodeURIComponent(pattern)}`)
  assert.equal(answer.status, 200, answer.text)
  const names = values(answer.text, 'name')
  assert.equal(answer.headers.total, String(names.length))
  return names
}

test('* stands for any run of characters, also none; ? for exactly one', async () => {
  await zones('run', 'ruin', 'rxyzn', 'rn')
  assert.deepEqual(await found('r*n'), ['run', 'ruin', 'rxyzn', 'rn'])
  assert.deepEqual(await found('r?n'), ['run'])
  assert.deepEqual(await found('r??n'), ['ruin'])
  assert.deepEqual(await found('r?*n'), ['run', 'ruin', 'rxyzn'])
  assert.deepEqual(await found('r**n'), ['run', 'ruin', 'rxyzn', 'rn'])
  assert.deepEqual(await found('*xyz*'), ['rxyzn'])
})

test('without either the whole value must be equal', async () => {
  await zones('whole value')
  assert.deepEqual(await found('whole value'), ['whole value'])
  assert.deepEqual(await found('whole'), [])
  assert.deepEqual(await found('hole value'), [])
})

test('\\* and \\? are literal', async () => {
  await zones('lit*star', 'lit?mark', 'lit-star', 'lit-mark', 'lit\\back')
  assert.deepEqual(await found('lit\\*star'), ['lit*star'])
  assert.deepEqual(await found('lit\\?mark'), ['lit?mark'])
  assert.deepEqual(await found('lit\\?*'), ['lit?mark'])
  assert.deepEqual(await found('lit*star'), ['lit*star', 'lit-star'])
  assert.deepEqual(await found('lit\\back'), ['lit\\back'], 'a backslash before anything else is itself')
  assert.deepEqual(await found('lit\\b*'), ['lit\\back'])
})

test('% and _ are ordinary characters', async () => {
  await zones('50%', '50x', 'a_b', 'axb')
  assert.deepEqual(await found('50%'), ['50%'])
  assert.deepEqual(await found('5?%*'), ['50%'])
  assert.deepEqual(await found('a_b'), ['a_b'])
  assert.deepEqual(await found('?_b'), ['a_b'])
  assert.deepEqual(await found('%*'), [])
})

test('letter case is ignored, in every alphabet', async () => {
  const pairs = [
    ['ascii Zone', 'ASCII zONE'],
    ['Größe', 'GRÖßE'],
    ['Ελλάς', 'ΕΛΛΆΣ'],
    ['Москва', 'МОСКВА'],
    ['Երևան նոր', 'ԵՐևԱՆ ՆՈՐ'],
    ['Ångström', 'åNGSTRÖM'],
    ['𐐨𐐩', '𐐀𐐁'],
  ] as const
  await zones(...pairs.map(([name]) => name))
  for (const [name, other] of pairs) {
    assert.deepEqual(await found(other), [name])
    assert.deepEqual(await found(`${[...other].slice(0, -1).join('')}?`), [name], 'with a wildcard too')
    assert.deepEqual(await found(`*${[...other].slice(1).join('')}`), [name])
  }
})

test('? stands for one character also where it is more than one unit: an emoji, a letter outside the first plane', async () => {
  await zones('smile 😀!', 'clef 𝄞')
  assert.deepEqual(await found('smile ?!'), ['smile 😀!'])
  assert.deepEqual(await found('smile ??!'), [])
  assert.deepEqual(await found('clef ?'), ['clef 𝄞'])
  assert.deepEqual(await found('smile 😀*'), ['smile 😀!'])
})

test('a pattern that begins at the edge of what text can hold finds its texts', async () => {
  await zones('\u{d7ff}edge', '\u{10ffff}edge', '\u{e000}edge')
  for (const first of ['\u{d7ff}', '\u{10ffff}', '\u{e000}'])
    assert.deepEqual(await found(`${first}*`), [`${first}edge`])
})

test('a very long pattern and one of many wildcards are answered at once or refused', async () => {
  await zones('a'.repeat(900))
  assert.deepEqual(await found(`${'*a'.repeat(400)}*b`), [])
  assert.equal((await found(`${'*a'.repeat(400)}`)).length, 1)
  const answer = await service.get(`/ram/zone?name=${'*a'.repeat(2000)}`)
  refused(answer, 400, 'name')
})

test('a text that repeats itself behind a * is refused, for a store would compare it again at every character', async () => {
  for (const pattern of [
    `*${'a'.repeat(500)}b`,
    `*${'a'.repeat(250)}b${'a'.repeat(250)}*`,
    `b*${'ab'.repeat(200)}`,
    `*${'a?'.repeat(200)}b*`,
    `*a${'?'.repeat(400)}b`,
    `*x*${'\\*'.repeat(100)}*`,
  ]) {
    refused(await service.get(`/ram/zone?name=${encodeURIComponent(pattern)}`), 400, 'name')
  }
  const sentence = Array.from({ length: 120 }, (_, index) => `word ${index}`).join(' ')
  await zones(sentence, '-------- core --------', `${'b'.repeat(500)}c`)
  assert.deepEqual(await found(`*${sentence.slice(5)}`), [sentence])
  assert.deepEqual(await found(`*${sentence.slice(5, 900)}*`), [sentence])
  assert.deepEqual(await found('*-------- CORE --------*'), ['-------- core --------'])
  assert.deepEqual(
    await found(`*${'?'.repeat(499)}c`),
    [`${'b'.repeat(500)}c`],
    'signs for any character first',
  )
  assert.deepEqual(await found(`${'b'.repeat(500)}*`), [`${'b'.repeat(500)}c`], 'before a * it may')
  for (const ordinary of [
    '*00:00:00:00:00:00*',
    '*0000:0000:0000:0000:0000:0000:0000:0001',
    '*1.3.6.1.4.1.1.1.1.1.*',
  ])
    assert.deepEqual(await found(ordinary), [])
})

test('every text filter takes wildcards, as "Lists" of docs/interface/conventions.md says', async () => {
  await load(service, 'assignedIpScope', ['id,startIp,endIp,name,parentId', '1,10.0.0.0,10.0.0.9,Segment,-1'])
  await load(service, 'assignedIpInfo', ['ip,name,description,parentId', '10.0.0.7,Owner,Some text,1'])
  await load(service, 'device', ['ip,label', '10.0.0.7,Label'])
  await load(service, 'macAccessBind', [
    'terminalMac,terminalName,bindType,maintainer',
    '00:00:00:00:00:01,Name,1,Maintainer',
  ])
  await load(service, 'trapRule', [
    'trapRuleName,trapOId,trapDevice[1]/displayName,trapDevice[1]/devID',
    'Wild rule,1.3.6.1.4.1.7,any,0',
  ])
  for (const query of [
    '/res/access/assignedIpScope/ip?ipScopeId=1&ip=10.0.*.?',
    '/res/access/assignedIpScope/ip?ipScopeId=1&name=?WNER',
    '/res/access/assignedIpScope/ip?ipScopeId=1&description=*TEXT',
    '/res/access/assignedIpScope?name=seg*',
    '/plat/res/device?ip=*.7',
    '/plat/res/device?label=l*L',
    '/res/access/macAccessBind?terminalMac=*:01',
    '/res/access/macAccessBind?terminalName=n??e',
    '/res/access/macAccessBind?maintainer=MAIN*',
    '/fault/trapRule?trapRuleName=wild*',
    '/fault/trapRule?trapOId=1.3.*.7',
    '/report/reportTemplate?templateName=weekly*',
    '/report/reportTemplate?reportType=alarm*',
  ]) {
    const answer = await service.get(query)
    assert.equal(answer.headers.total, '1', `${query}: ${answer.text}`)
  }
})

test('the longest text can be given as a filter, even with every character escaped', async () => {
  for (const [sign, escaped] of [
    ['😀', '😀'],
    ['*', '\\*'],
  ] as const) {
    await zones(sign.repeat(1000))
    assert.deepEqual(await found(escaped.repeat(1000)), [sign.repeat(1000)])
    assert.deepEqual(await found(`${escaped.repeat(999)}?`), [sign.repeat(1000)])
  }
})
