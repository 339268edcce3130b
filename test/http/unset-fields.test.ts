// What has no value is written empty, not left out, in every field of the documents that lists answer with; repeated
// groups without members are left out in XML and [] in JSON.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { requireJson } from './openapi.ts'
import { idOf, pathOf } from './reading.ts'

const service = await startService()
const asJson = { Accept: 'application/json' }

interface Example {
  readonly collection: string
  readonly query: string
  /** As little as can be said. */
  readonly least: object
  readonly xml: (id: string) => string
  readonly json: (id: string) => object
}

const scope = idOf(
  await service.sendJson('POST', '/res/access/assignedIpScope', {
    startIp: '10.0.0.0',
    endIp: '10.0.0.255',
    name: 'Segment',
  }),
)

/** The type of the template below: its id follows from its name. */
const typeId = idOf(await service.sendJson('POST', '/report/reportType', { name: 'R' }))

const examples: Record<string, Example> = {
  assignedIpInfo: {
    collection: '/res/access/assignedIpScope/ip',
    query: `?ipScopeId=${scope}`,
    least: { ip: '10.0.0.9' },
    xml: (id) => `<id>${id}</id><ip>10.0.0.9</ip><name/><description/><parentId>${scope}</parentId>`,
    json: (id) => ({ id, ip: '10.0.0.9', name: '', description: '', parentId: scope }),
  },
  trapRule: {
    collection: '/fault/trapRule',
    query: '?start=1',
    least: {
      trapDevice: [{ displayName: 'any', devID: 0, trapFilterEventParasInfo: [{ faultOid: '1.2.3' }] }],
      trapInterfaces: [{ ifDesc: 'x' }],
    },
    xml: (id) =>
      `<id>${id}</id><trapRuleName/><trapOId/><trapGroup/><exectimeType/><startDay/><endDay/><startTime/><endTime/><selectedWeekDay/>` +
      '<trapDevice><displayName>any</displayName><devID>0</devID><trapFilterEventParasInfo><faultOid>1.2.3</faultOid><position/><value/><name/></trapFilterEventParasInfo></trapDevice>' +
      '<trapInterfaces><ifDesc>x</ifDesc><deviceId/></trapInterfaces><hits>0</hits><lastHit>0</lastHit>',
    json: (id) => ({
      id,
      trapRuleName: '',
      trapOId: '',
      trapGroup: '',
      exectimeType: '',
      startDay: '',
      endDay: '',
      startTime: '',
      endTime: '',
      selectedWeekDay: '',
      trapDevice: [
        {
          displayName: 'any',
          devID: '0',
          trapFilterEventParasInfo: [{ faultOid: '1.2.3', position: '', value: '', name: '' }],
        },
      ],
      trapInterfaces: [{ ifDesc: 'x', deviceId: '' }],
      hits: '0',
      lastHit: '0',
    }),
  },
  reportTemplate: {
    collection: '/report/reportTemplate',
    query: '?start=1',
    least: { name: 'T', reportTypeName: 'R', operatorGroup: [{ operatorGroupId: 1 }] },
    xml: (id) =>
      `<id>${id}</id><name>T</name><location/><reportTypeId>${typeId}</reportTypeId><reportTypeID>${typeId}</reportTypeID><reportTypeName>R</reportTypeName><reportType>R</reportType><customeDef>1</customeDef>` +
      '<operatorGroup><operatorGroupId>1</operatorGroupId><operatorGroupName>Administrator Group</operatorGroupName></operatorGroup>',
    json: (id) => ({
      id,
      name: 'T',
      location: '',
      reportTypeId: typeId,
      reportTypeID: typeId,
      reportTypeName: 'R',
      reportType: 'R',
      customeDef: '1',
      parameter: [],
      operatorGroup: [{ operatorGroupId: '1', operatorGroupName: 'Administrator Group' }],
    }),
  },
  zone: {
    collection: '/ram/zone',
    query: '?start=1',
    least: { name: 'Z' },
    xml: (id) => `<zoneId>${id}</zoneId><name>Z</name><description/>`,
    json: (id) => ({ zoneId: id, name: 'Z', description: '' }),
  },
  macAccessBind: {
    collection: '/res/access/macAccessBind',
    query: '',
    least: { terminalMac: '00:11:22:33:44:55', bindType: 1 },
    xml: (id) =>
      `<id>${id}</id><terminalMac>00:11:22:33:44:55</terminalMac><terminalName/><bindType>1</bindType><maintainer/>`,
    json: (id) => ({
      id,
      terminalMac: '00:11:22:33:44:55',
      terminalName: '',
      bindType: '1',
      maintainer: '',
      ifInfo: [],
    }),
  },
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

for (const [name, { collection, query, least, xml, json }] of Object.entries(examples)) {
  test(`${name}: fields that are not set are written empty, in a list and alone, in XML and JSON`, async () => {
    const created = await service.sendJson('POST', collection + query, least)
    assert.ok(created.status < 300, created.text)
    const [id, path] = [idOf(created), pathOf(created)]
    const element = `<${name}>${xml(id)}</${name}>`
    const list = collection + query
    assert.equal((await service.get(list)).text, `${declaration}<list>${element}</list>`)
    assert.equal((await service.get(path)).text, `${declaration}${element}`)
    const listed = (await service.get(list, asJson)).json()
    assert.deepEqual(listed, { [name]: [json(id)] })
    assert.deepEqual((await service.get(path, asJson)).json(), json(id))
    requireJson(`${name}List`, listed)
    requireJson(name, json(id))
  })

  test(`${name}: an answer can be sent back as it is, and nothing changes`, async () => {
    const { text } = await service.get(collection + query)
    const element = text.slice(`${declaration}<list>`.length, -'</list>'.length)
    const [id] = /(?<=<(?:zoneId|id)>)\d+/.exec(element) ?? []
    const path = `${collection}/${id}`
    assert.equal((await service.send('PUT', path, element)).status, 204)
    const record = (await service.get(path, asJson)).json()
    assert.equal((await service.sendJson('PUT', path, record)).status, 204)
    assert.equal((await service.get(path)).text, `${declaration}${element}`)
  })
}

test('a repeated group without members is left out in XML and [] in JSON', async () => {
  const { text } = await service.get('/fault/trapRule/1')
  assert.doesNotMatch(text, /trapInterfaces|trapFilterEventParasInfo/)
  const { trapInterfaces, trapDevice } = (await service.get('/fault/trapRule/1', asJson)).json()
  assert.deepEqual(trapInterfaces, [])
  assert.deepEqual((trapDevice as { trapFilterEventParasInfo: unknown }[])[0]?.trapFilterEventParasInfo, [])
})
