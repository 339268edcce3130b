// Query parameters on every list: unknown, repeated, empty; integers, longs and booleans.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { load, refused } from './reading.ts'

const service = await startService()
await load(service, 'zone', ['name', ...Array.from({ length: 20 }, (_, index) => `Z${index}`)])
const plain = (await service.get('/ram/zone')).text

test("unknown parameters are ignored: the family's clients send extras", async () => {
  for (const query of ['operatorName=admin', 'resPrivilegeFilter=false', 'x=1&x=2', '%00=1', '__proto__=1']) {
    const answer = await service.get(`/ram/zone?${query}`)
    assert.equal(answer.status, 200)
    assert.equal(answer.text, plain)
  }
})

test('names of parameters are case-sensitive: Size is not size', async () => {
  assert.equal((await service.get('/ram/zone?Size=1')).text, plain)
})

test('a known parameter given twice is refused, also when both are the same or one is empty', async () => {
  for (const name of ['name', 'start', 'size', 'orderBy', 'total', 'desc']) {
    for (const pair of [
      [1, 2],
      [1, 1],
      ['', 1],
    ]) {
      const query = pair.map((value) => `${name}=${value}`).join('&')
      refused(await service.get(`/ram/zone?${query}`), 400, name)
    }
  }
  refused(await service.get('/report/reportTemplate?templateName=a&templateName=b'), 400, 'templateName')
  refused(await service.get('/res/access/macAccessBind?bindType=1&bindType=2'), 400, 'bindType')
})

test('an empty value is a value not given', async () => {
  for (const query of ['name=', 'start=&size=', 'orderBy=&desc=&total=', 'size', 'name=%20', '&&', '=']) {
    const answer = await service.get(`/ram/zone?${query}`)
    assert.equal(answer.status, 200, `${query} ${answer.text}`)
    assert.equal(answer.text, plain)
  }
})

test('booleans ignore case; anything but true and false is refused', async () => {
  for (const word of ['true', 'TRUE', 'True']) {
    assert.equal((await service.get(`/ram/zone?total=${word}`)).text, '')
  }
  for (const word of ['false', 'FALSE'])
    assert.equal((await service.get(`/ram/zone?total=${word}`)).text, plain)
  for (const name of ['total', 'desc']) {
    for (const word of ['1', '0', 'yes', 'truee', 'null']) {
      const { message } = refused(await service.get(`/ram/zone?orderBy=id&${name}=${word}`), 400, name)
      assert.match(message, /expected true or false/)
    }
  }
})

test('an int is a whole number of 32 bits, in decimal', async () => {
  for (const number of ['+5', '005', '%205%20']) {
    assert.equal((await service.get(`/ram/zone?start=${number}&size=1`)).status, 200, number)
  }
  for (const number of [
    '5.0',
    '5e0',
    '0x5',
    'five',
    '٥',
    '5,0',
    '5%00',
    '--5',
    'NaN',
    'Infinity',
    '2147483648',
  ]) {
    refused(await service.get(`/ram/zone?start=${encodeURI(number)}`), 400, 'start')
  }
})

test('a parameter is percent-decoded as UTF-8, a plus is a space; what cannot be decoded is refused', async () => {
  await load(service, 'zone', ['name', 'Büro 1+1'])
  for (const query of ['name=B%C3%BCro%201%2B1', 'name=B%c3%bcro+1%2b1', 'n%61me=B%C3%BCro+1%2B1']) {
    assert.equal((await service.get(`/ram/zone?${query}`)).headers.total, '1', query)
  }
  for (const broken of ['%', '%zz', '%FC', '%C3', '%ED%A0%80']) {
    refused(await service.get(`/ram/zone?name=${broken}`), 400)
  }
})

test('a filter with a character that no text can hold is refused', async () => {
  for (const sign of ['%00', '%01*', '%EF%BF%BF'])
    refused(await service.get(`/ram/zone?name=a${sign}`), 400, 'name')
})

test('a negative number means the same whatever its size: the default, and no zones', async () => {
  const huge = `-${'9'.repeat(400)}`
  for (const value of ['-1', '-2147483649', '-9223372036854775809', huge]) {
    for (const path of [
      '/report/reportTemplate?',
      '/res/access/assignedIpScope/ip?ipScopeId=1&',
      '/ram/zone?',
    ]) {
      assert.equal((await service.get(`${path}start=${value}`)).status, 200, path + value)
      assert.equal((await service.get(`${path}size=${value}`)).status, 200, path + value)
    }
    const zones = await service.get(`/ram/zone?size=${value}`)
    assert.equal(zones.text.includes('<zone>'), false)
  }
  assert.equal((await service.get('/report/reportTemplate?start=99999999999')).status, 400)
  assert.equal((await service.get('/report/reportTemplate?start=-x')).status, 400)
})
