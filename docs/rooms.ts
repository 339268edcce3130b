// The rooms of the source tree, from the roof down. A test holds every import to them, and the picture of the house is
// drawn from them.

export interface Room {
  /** A folder of src/, perhaps inside another, or a file beside them. */
  readonly name: string
  readonly holds: string
  /** What of the outside world it deals with. */
  readonly outside?: string
}

/** Those on one floor do not know each other. */
export const floors: readonly (readonly Room[])[] = [
  [{ name: 'main', holds: 'command line to command' }],
  [{ name: 'cli', holds: 'one file per command', outside: 'people, a shell' }],
  [{ name: 'app', holds: 'start, stop; traps first' }],
  [{ name: 'assembly', holds: 'builds and connects the parts' }],
  [{ name: 'http', holds: 'server, operations, handlers, wire', outside: 'programs, browsers' }],
  [{ name: 'upkeep', holds: 'retention, checks, watches' }],
  [{ name: 'cluster', holds: 'the service as one of several nodes' }],
  [{ name: 'cluster/watches', holds: 'nodes that watch each other and their store' }],
  [{ name: 'upkeep/checks', holds: 'is the store what it was; totals, clocks' }],
  [{ name: 'notify/routes', holds: 'who is told of what; the ledger' }],
  [{ name: 'cluster/blocks', holds: 'blocks of traps in the store, processed by the leader' }],
  [
    { name: 'intake', holds: 'socket, storms', outside: 'devices, UDP' },
    { name: 'push', holds: 'streams' },
    { name: 'access', holds: 'who may call' },
    { name: 'terminals', holds: 'who is where' },
    { name: 'reports', holds: 'runs, forms' },
    { name: 'notify', holds: 'people' },
  ],
  [{ name: 'ask', holds: 'questions to devices, and their answers', outside: 'devices, UDP' }],
  [
    { name: 'alarms', holds: 'engine, log, ledger' },
    { name: 'snmp', holds: 'bytes to notifications' },
    { name: 'syslog', holds: 'lines to meanings' },
  ],
  [{ name: 'rules', holds: 'trap rules, periods, dry runs' }],
  [{ name: 'events', holds: 'what a notification means' }],
  [{ name: 'resources', holds: 'one file each: description, list, rules' }],
  [
    { name: 'cluster/nodes', holds: 'membership, lease, fence' },
    { name: 'keys', holds: 'the key file, sealed secrets' },
  ],
  [
    { name: 'store', holds: 'one SQL, two stores; migrations', outside: 'SQLite, PostgreSQL' },
    { name: 'config', holds: 'table of settings, their reader' },
  ],
  [
    { name: 'schema', holds: 'descriptions; XML, JSON, CSV' },
    { name: 'mibs', holds: 'reads modules' },
  ],
  [{ name: 'pacing', holds: 'queues, and work that yields' }],
  [
    { name: 'fault', holds: 'the one error class' },
    { name: 'client', holds: 'stands alone' },
  ],
]

/** The room of a file, by its path in src/. */
export function roomOf(file: string): string | undefined {
  const isIn = ({ name }: Room) => file.startsWith(`${name}/`) || file === `${name}.ts`
  const around = floors.flat().filter(isIn)
  return around.toSorted((a, b) => b.name.length - a.name.length)[0]?.name
}

const left = 200
// Wide enough for the words of the fullest floor.
const width = 660
const height = 52
const top = 96
const right = left + width + 180

const style = `
    .room { fill: #f4f1ea; stroke: #3b4a5a; stroke-width: 1.5 }
    .roof { fill: #d9e4ec; stroke: #3b4a5a; stroke-width: 1.5; stroke-linejoin: round }
    .outside { fill: #ffffff; stroke: #8795a3; stroke-width: 1.5 }
    .name { font-weight: bold; fill: #1f2933 }
    .text { fill: #1f2933; font-size: 13px }
    .line { stroke: #3b4a5a; stroke-width: 1.5; fill: none }`

/** The picture in architecture.md. */
export function drawHouse(label: (room: string) => string): string {
  const [roof = [], ...rest] = floors
  const bottom = top + rest.length * height
  const middle = left + width / 2
  const parts = [
    `<path class="roof" d="M${left - 20} ${top} L${middle} 16 L${left + width + 20} ${top} z"/>`,
    ...roof.flatMap(({ name, holds }) => [
      `<text class="name" x="${middle}" y="62" text-anchor="middle">${label(name)}</text>`,
      `<text class="text" x="${middle}" y="82" text-anchor="middle">${holds}</text>`,
    ]),
    ...rest.flatMap((rooms, floor) => drawFloor(rooms, top + floor * height, label)),
    `<path class="line" d="M${left + width + 36} ${top + 8} L${left + width + 36} ${bottom - 6}" marker-end="url(#tip)"/>`,
    ...['imports go down,', 'never up,', 'never sideways'].map(
      (line, index) =>
        `<text class="text" x="${left + width + 50}" y="${(top + bottom) / 2 + index * 19}">${line}</text>`,
    ),
  ]
  const listed = floors.map((rooms) => rooms.map(({ name }) => name).join(', ')).join('; ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${right} ${bottom + 24}" width="${right}" height="${bottom + 24}" font-family="DejaVu Sans, Verdana, Arial, sans-serif" font-size="14" role="img" aria-labelledby="title description">
  <title id="title">The house: rooms of the source tree and the direction of imports</title>
  <desc id="description">Floors from top to bottom: ${listed}. A room imports only from floors below it.</desc>
  <defs>
    <marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
      <path d="M0 0 L10 5 L0 10 z" fill="#3b4a5a"/>
    </marker>
  </defs>
  <style>${style}
  </style>
  <rect width="${right}" height="${bottom + 24}" fill="#ffffff"/>
  ${parts.join('\n  ')}
</svg>
`
}

function drawFloor(rooms: readonly Room[], y: number, label: (name: string) => string): string[] {
  const each = width / rooms.length
  return rooms.flatMap(({ name, holds, outside }, index) => {
    const x = left + index * each
    return [
      `<rect class="room" x="${x}" y="${y}" width="${each}" height="${height}"/>`,
      `<text class="name" x="${x + 14}" y="${y + 22}">${label(name)}</text>`,
      `<text class="text" x="${x + 14}" y="${y + 41}">${holds}</text>`,
      ...(outside === undefined ? [] : drawOutside(outside, y + height / 2)),
    ]
  })
}

const drawOutside = (text: string, y: number): string[] => [
  `<rect class="outside" x="10" y="${y - 19}" width="150" height="38" rx="6"/>`,
  `<text class="text" x="85" y="${y + 5}" text-anchor="middle">${text}</text>`,
  `<path class="line" d="M162 ${y} L${left - 4} ${y}" marker-start="url(#tip)" marker-end="url(#tip)"/>`,
]
