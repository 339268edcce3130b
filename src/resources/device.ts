import { Fault } from '../fault.ts'
import { list } from '../schema/list.ts'
import { assigned, many, need, type RecordOf, resource } from '../schema/resource.ts'
import { ip, long, text } from '../schema/scalar.ts'
import type { Transaction } from '../store/database.ts'
import { collection } from './collection.ts'

export const device = resource(
  'device',
  {
    id: assigned(long),
    ip: need(ip, { keyed: true }),
    label: need(text(), { keyed: true }),
    interfaces: many({ ifIndex: need(long), ifDesc: need(text()) }),
    otherAddress: many({ ip: need(ip) }),
  },
  { table: 'device', key: 'id' },
)

type Device = RecordOf<typeof device.fields>

const addressesOf = (record: Device) => [record.ip, ...record.otherAddress.map((other) => other.ip)]

async function requireFree(tx: Transaction, record: Device): Promise<void> {
  for (const [index, address] of addressesOf(record).entries()) {
    const [other] = await tx.all('select device_id from device_address where ip = ? and device_id <> ?', [
      address,
      record.id,
    ])
    if (other) {
      throw new Fault('conflict', `address ${address} belongs to device ${other.device_id} already`, {
        field: index === 0 ? 'ip' : `otherAddress[${index}]/ip`,
      })
    }
  }
}

export const devices = collection({
  resource: device,
  noun: 'device',
  list: list('/plat/res/device', device, {
    filters: ({ wildcard, spelled }) => ({ ip: spelled('ip'), label: wildcard('label') }),
    orderBy: { id: 'id', ip: 'ip', label: 'label' },
  }),
  rules: {
    check(record) {
      const addresses = addressesOf(record)
      const twice = addresses.findIndex((address, index) => addresses.indexOf(address) < index)
      if (twice > 0) {
        throw new Fault('invalid', `address ${addresses[twice]} is given twice`, {
          field: `otherAddress[${twice}]/ip`,
        })
      }
    },
    async saving(tx, record) {
      await requireFree(tx, record)
    },
    async saved(tx, record) {
      await tx.run('delete from device_address where device_id = ?', [record.id])
      for (const address of addressesOf(record)) {
        await tx.run('insert into device_address (ip, device_id) values (?, ?)', [address, record.id])
      }
    },
    async deleting(tx, { id }) {
      await tx.run('delete from device_address where device_id = ?', [id])
    },
  },
})
