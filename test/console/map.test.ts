// The layout of the map: tiers below each other, nothing over anything else, the same for the same network.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseArrangement } from '../../console/map/arrangement.ts'
import { graphOf, type TopologyAnswer, wayUp } from '../../console/map/graph.ts'
import { type Arrangement, type Box, layoutOf } from '../../console/map/layout.ts'
import { routesOf } from '../../console/map/routes.ts'
import { linkLevel, openAt, type Span, statesAt } from '../../console/map/states.ts'
import { neighbourIn } from '../../console/map/steps.ts'

const nothing: Arrangement = { folded: new Set(), moved: new Map(), movedAreas: new Map() }

/** Devices by id, each with the ids of its parents; those of 100 and more are in zone 2. */
function network(parents: Readonly<Record<number, readonly number[]>>): TopologyAnswer {
  const ids = Object.keys(parents)
  return {
    zone: [
      { zoneId: '1', name: 'Hamburg' },
      { zoneId: '2', name: 'Lyon' },
    ],
    device: ids.map((id) => ({
      ...{ id, label: `device-${id}`, ip: `192.0.2.${Number(id) % 250}`, typeName: '' },
      zoneId: Number(id) < 100 ? '1' : '2',
    })),
    link: ids.flatMap((id) =>
      (parents[Number(id)] ?? []).map((parent) => ({
        ...{ deviceId: id, ifIndex: '1', otherId: String(parent), otherIfIndex: id },
        ...{ direction: 'up', origin: 'typed', state: 'typed' },
      })),
    ),
  }
}

const site = network({
  ...{ 1: [], 2: [], 3: [1, 2], 4: [1, 2], 5: [3, 4], 6: [5], 7: [5], 8: [6] },
  ...{ 101: [1], 102: [101], 103: [] },
})

const overlaps = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

function overlapping(boxes: ReadonlyMap<string, Box>): string[] {
  const all = [...boxes]
  return all.flatMap(([id, box], index) =>
    all.slice(index + 1).flatMap(([other, its]) => (overlaps(box, its) ? [`${id} and ${other}`] : [])),
  )
}

test('devices stand below their parents, in the area of their zone', () => {
  const graph = graphOf(site)
  const { places, areas } = layoutOf(graph, nothing)
  assert.deepEqual(
    ['1', '3', '5', '6', '8', '101', '102'].map((id) => graph.devices.get(id)?.tier),
    [0, 1, 2, 3, 4, 1, 2],
  )
  const y = (id: string) => places.get(id)?.y ?? Number.NaN
  assert.equal(y('1'), y('2'), 'side by side, since they share children')
  assert(y('1') < y('3') && y('3') === y('4') && y('4') < y('5') && y('5') < y('6') && y('6') < y('8'))
  for (const [id, place] of places) {
    const area = areas.get(graph.devices.get(id)?.zoneId ?? '')
    assert(area && place.x >= area.x && place.x + place.width <= area.x + area.width, id)
    assert(place.y >= area.y && place.y + place.height <= area.y + area.height, id)
  }
})

const networks = fc
  .array(fc.tuple(fc.nat(), fc.nat(), fc.nat({ max: 3 })), { minLength: 1, maxLength: 160 })
  .map((rows) =>
    network(
      Object.fromEntries(
        rows.map(([one, other, kind], index) => {
          const id = index + 1
          const above =
            index === 0 || kind === 0 ? [] : [(one % index) + 1, (other % index) + 1].slice(0, kind)
          return [id, [...new Set(above)]]
        }),
      ),
    ),
  )

test('whatever the network is, no card and no area lies over another, and nothing is missing', () => {
  fc.assert(
    fc.property(networks, (answer) => {
      const graph = graphOf(answer)
      const layout = layoutOf(graph, nothing)
      assert.equal(layout.places.size, graph.devices.size)
      assert.deepEqual(overlapping(layout.places), [])
      assert.deepEqual(overlapping(layout.areas), [])
      for (const { path, box } of routesOf(graph, layout)) {
        assert(!/NaN|Infinity/.test(path), path)
        assert(box.width >= 0 && box.height >= 0)
      }
      assert.deepEqual(layoutOf(graph, nothing), layout)
    }),
    { numRuns: 60 },
  )
})

test('devices in a circle, which the service refuses, are drawn all the same', () => {
  const layout = layoutOf(graphOf(network({ 1: [2], 2: [3], 3: [1], 4: [3] })), nothing)
  assert.equal(layout.places.size, 4)
})

test('a folded zone is one box, to which links of its devices lead', () => {
  const graph = graphOf(site)
  const layout = layoutOf(graph, { ...nothing, folded: new Set(['1']) })
  assert.deepEqual([...layout.places.keys()].toSorted(), ['101', '102', '103'])
  assert.deepEqual(
    routesOf(graph, layout).map(({ link }) => `${link.from} ${link.to}`),
    ['101 1', '102 101'],
  )
})

test('what was moved stays where it was put, also when a device is added', () => {
  const wishes: Arrangement = {
    ...nothing,
    moved: new Map([['8', { x: -300, y: 40 }]]),
    movedAreas: new Map([['2', { x: 5000, y: 70 }]]),
  }
  const from = (answer: TopologyAnswer) => {
    const { places, areas } = layoutOf(graphOf(answer), wishes)
    const [place, area, other] = [places.get('8'), areas.get('1'), areas.get('2')]
    assert(place && area && other && place.x >= area.x, 'its area grows with it')
    return [place.x - area.origin.x, place.y - area.origin.y, other.x, other.y]
  }
  assert.deepEqual(from(site), [-300, 40, 5000, 70])
  const more = network({
    1: [],
    2: [],
    3: [1, 2],
    4: [1, 2],
    5: [3, 4],
    6: [5],
    7: [5],
    8: [6],
    9: [6],
    101: [1],
  })
  assert.deepEqual(from(more), [-300, 40, 5000, 70])
})

test('the storage may have anything', () => {
  for (const stored of [null, 'x', '7', 'null', '{"moved":{"1":{"x":"a"}},"folded":7}', '{"areas":[1]}'])
    assert.deepEqual(parseArrangement(stored), nothing, String(stored))
  assert.deepEqual(parseArrangement('{"moved":{"1":{"x":1,"y":2}},"folded":["3",4]}'), {
    folded: new Set(['3']),
    moved: new Map([['1', { x: 1, y: 2 }]]),
    movedAreas: new Map(),
  })
})

test('the way to the core has all that is above; arrow keys go along links', () => {
  const graph = graphOf(site)
  assert.deepEqual([...wayUp(graph, '8').devices].toSorted(), ['1', '2', '3', '4', '5', '6', '8'])
  const layout = layoutOf(graph, nothing)
  const scene = {
    ...{ graph, layout, routes: [], states: statesAt(graph, [], 0), found: undefined },
    way: wayUp(graph, ''),
  }
  const from = (chosen: string, dx: number, dy: number) => neighbourIn({ ...scene, chosen }, dx, dy)
  assert.equal(from('', 0, 1), '1', 'the first is the first of the top')
  assert.equal(from('5', 0, -1), '3')
  assert.equal(from('5', 0, 1), '6')
  assert.equal(from('3', 1, 0), '4')
  assert.equal(from('4', -1, 0), '3')
})

test('at a moment of a day, devices, zones and links have what was open then', () => {
  const span = (
    id: string,
    deviceId: string,
    level: number,
    from: number,
    to: number,
    ifIndex = '',
  ): Span => ({
    ...{ id, deviceId, ifIndex, alarmLevel: String(level), alarmDesc: '' },
    ...{ faultTime: String(from), recTime: String(to) },
  })
  const spans = [span('1', '6', 3, 100, 200, '1'), span('2', '6', 1, 150, 0), span('3', '7', 5, 100, 0)]
  const graph = graphOf(site)
  const link = graph.links.find(({ from }) => from === '6')
  assert(link)
  const at = (time: number) => {
    const states = statesAt(graph, spans, time)
    return [
      states.devices.get('6'),
      states.counts.get('6'),
      linkLevel(states, link),
      states.zones.get('1')?.size,
    ]
  }
  assert.deepEqual(at(99), [undefined, undefined, undefined, undefined])
  assert.deepEqual(at(100), [3, 1, 3, 1])
  assert.deepEqual(at(150), [1, 2, 3, 1])
  assert.deepEqual(at(200), [1, 1, undefined, 1], 'information is nothing wrong')
  assert.deepEqual(
    openAt(spans, 160).map(({ id }) => id),
    ['1', '2', '3'],
  )
})
