// Every page of the console, and a service that has something to show on each of them.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { catalog } from '../../src/resources/catalog.ts'
import { device, ifIndex, linkDown, until, v2c } from '../intake/sending.ts'
import type { TestService } from '../support.ts'

const network = new URL('../../examples/network/', import.meta.url)

export async function loadSample(service: TestService): Promise<void> {
  for (const { resource } of catalog) {
    const file = new URL(`${resource.name}.csv`, network)
    if (!existsSync(file)) continue
    const headers = { 'Content-Type': 'text/csv' }
    const body = readFileSync(file)
    const { status, text } = await service.ask('POST', `/plat/data/${resource.name}?replace=true`, {
      headers,
      body,
    })
    assert.equal(status, 200, text)
  }
  const port = await device(service.trapPort)
  await port.send(v2c(linkDown, [ifIndex(7)]))
  // A row that is added while Tab goes through a page would be an unexpected stop.
  await until('the trap', async () => (await service.get('/fault/trap')).headers.total === '1')
}

export const pages = [
  'alarms',
  'overview',
  'map',
  'map?device=107',
  'map?view=list',
  'history',
  'statistics',
  'raise',
  'alarm/1',
  'traps',
  'trap/1',
  'messages',
  'messages?follow=true',
  'shapes',
  'definitions',
  'definition/new?origin=doord&shape=cabinet+*+door',
  'rules',
  'maintenance',
  'calendar',
  'calendar?view=week',
  'window/new?device=108',
  'rule/2',
  'rule/new',
  'events',
  'event?oid=1.3.6.1.6.3.1.1.5.3',
  'me',
  'oncall',
  'schedule/new',
  'routes',
  'told',
  'people',
  'gateways',
  'heartbeats',
  'modules',
  'devices',
  'device/108',
  'reachability',
  'discoveries',
  'zones',
  'views',
  'addresses',
  'terminals',
  'stays',
  'bindings',
  'reports',
  'report/1',
  'import',
  'clients',
  'operators',
  'tokens',
  'sessions',
  'audit',
  'settings',
  'nowhere',
]
