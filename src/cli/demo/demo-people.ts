// Who is told of the demo's faults: three people with a phone each, a schedule, and a route. They are set up through the
// interface, as an administrator would do it; the codes that confirm the phones are read from their page.

import { Fault } from '../../fault.ts'
import { askJson } from '../service-connection.ts'
import type { DemoPhone } from './demo-phone.ts'

const gatewayName = 'Phones of the demo'
const people = ['You', 'Meike', 'Jonas'] as const

/** Milliseconds for a code to come over the loopback; the machine may be busy. */
const arrivalTimeout = 30_000

interface Named {
  readonly id: string
  readonly name: string
}

async function findByName(url: string, path: string, name: string): Promise<Named | undefined> {
  const found = await askJson<Record<string, Named[] | undefined>>(
    `${url}${path}?name=${encodeURIComponent(name)}`,
  )
  return Object.values(found)
    .flatMap((rows) => rows ?? [])
    .find((one) => one.name === name)
}

/** What exists under this name stays as people have made it. */
async function findOrCreate(url: string, path: string, record: { readonly name: string }): Promise<string> {
  const known = await findByName(url, path, record.name)
  if (known) return known.id
  await askJson(`${url}${path}`, 'POST', record)
  const made = await findByName(url, path, record.name)
  if (!made) throw new Fault('unavailable', `${path}: ${record.name} was made and is not there`)
  return made.id
}

const gatewayOf = (phone: DemoPhone) => ({
  ...{ name: gatewayName, kind: 'webhook', template: 'ntfy', url: phone.url },
  ...{ addressHint: 'A name: each has a phone there', description: `Open ${phone.url} to see them` },
})

interface Channel {
  readonly id: string
  readonly confirmed: string
}

/** The code goes to the phone, and comes back from there. */
async function givePhone(url: string, phone: DemoPhone, contactId: string, gatewayId: string, name: string) {
  const address = name.toLowerCase()
  const path = `${url}/notify/channel`
  const channels = async () =>
    (await askJson<{ channel?: Channel[] }>(`${path}?contactId=${contactId}`)).channel ?? []
  if ((await channels()).length === 0) await askJson(path, 'POST', { contactId, gatewayId, address })
  const [channel] = await channels()
  if (!channel || channel.confirmed === 'true') return
  const arrives = phone.next(address, arrivalTimeout)
  await askJson(`${path}/${channel.id}/code`, 'POST')
  const message = await arrives
  const [code] = /\b\d{8}\b/.exec(`${message?.title} ${message?.message}`) ?? []
  if (code === undefined) throw new Fault('unavailable', `no code has come to the phone of ${name}`)
  await askJson(`${path}/${channel.id}/confirm`, 'PUT', { code })
}

const day = 86_400_000

/** The Monday of the week before, so that somebody is on call from the beginning of this one. */
function firstMonday(now: Date): string {
  const sinceMonday = (now.getUTCDay() + 6) % 7
  return new Date(now.getTime() - (sinceMonday + 7) * day).toISOString().slice(0, 10)
}

/** Everything a route needs, where it is not there yet. */
export async function setUpPeople(url: string, phone: DemoPhone, timeZone: string): Promise<void> {
  const gatewayId = await findOrCreate(url, '/notify/gateway', gatewayOf(phone))
  const ids: string[] = []
  for (const name of people) {
    const id = await findOrCreate(url, '/notify/contact', { name })
    await givePhone(url, phone, id, gatewayId, name)
    ids.push(id)
  }
  const [you, ...others] = ids
  const weeks = {
    ...{ name: 'Weeks', rotation: 'weekly', handOver: '08:00', startDay: firstMonday(new Date()) },
    contact: others,
  }
  const schedule = { name: 'Network', timeZone, layer: [weeks] }
  const scheduleId = await findOrCreate(url, '/notify/schedule', schedule)
  await findOrCreate(url, '/notify/route', {
    ...{ name: 'Severe faults', filter: 'alarmLevel=1,2', delay: 10 },
    step: [{ target: `contact:${you}` }, { after: 120, target: `schedule:${scheduleId}` }],
  } as { name: string })
}

/** The phones have another port after each start. */
export async function movePhones(url: string, phone: DemoPhone): Promise<void> {
  const known = await findByName(url, '/notify/gateway', gatewayName)
  if (!known) return
  const { template: _, ...moved } = gatewayOf(phone)
  const gateway = await askJson<Record<string, unknown>>(`${url}/notify/gateway/${known.id}`)
  const { id: _id, secretSet: _set, ...kept } = gateway
  await askJson(`${url}/notify/gateway/${known.id}`, 'PUT', { ...kept, ...moved })
}
