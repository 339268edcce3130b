// Every page: its place in the menu, whom it is for, and where its code is. Code is loaded when the page is opened.

import type { ComponentType } from 'preact'
import { texts } from '../texts/shared.ts'
import type { Role } from './session.ts'

interface Module {
  readonly default: ComponentType<{ id: string }>
}

export interface Page {
  readonly title: string
  /** The group in the menu; pages of one thing are reached from their list. */
  readonly group?: keyof Pick<typeof texts.menu, 'watch' | 'decide' | 'inventory' | 'run'>
  /** The page in the menu that a page of one thing belongs to. */
  readonly under?: string
  readonly needs?: Role
  /** How the id of what it shows is written, for pages of one thing. */
  readonly id?: RegExp
  readonly load: () => Promise<Module>
}

const number = /^\d{1,19}$/
const numberOrNew = /^(\d{1,19}|new)$/

export const pages: Readonly<Record<string, Page>> = {
  alarms: { title: texts.menu.alarms, group: 'watch', load: () => import('../alarms/page.ts') },
  overview: { title: texts.menu.overview, group: 'watch', load: () => import('../overview/page.ts') },
  alarm: { title: texts.menu.alarm, under: 'alarms', id: number, load: () => import('../pages/alarm.ts') },
  raise: {
    title: texts.menu.raise,
    under: 'alarms',
    needs: 'operator',
    load: () => import('../pages/raise.ts'),
  },
  history: { title: texts.menu.history, group: 'watch', load: () => import('../pages/history.ts') },
  statistics: {
    title: texts.menu.statistics,
    under: 'history',
    load: () => import('../pages/statistics.ts'),
  },
  traps: { title: texts.menu.traps, group: 'decide', load: () => import('../pages/traps.ts') },
  trap: { title: texts.menu.trap, under: 'traps', id: number, load: () => import('../pages/trap.ts') },
  rules: { title: texts.menu.rules, group: 'decide', load: () => import('../rules/page.ts') },
  rule: { title: texts.menu.rule, under: 'rules', id: numberOrNew, load: () => import('../rules/editor.ts') },
  maintenance: {
    title: texts.menu.maintenance,
    group: 'decide',
    load: () => import('../rules/maintenance.ts'),
  },
  window: {
    title: texts.menu.window,
    under: 'maintenance',
    id: numberOrNew,
    load: () => import('../rules/window-editor.ts'),
  },
  events: { title: texts.menu.events, group: 'decide', load: () => import('../pages/events.ts') },
  event: { title: texts.menu.event, under: 'events', load: () => import('../pages/event.ts') },
  devices: { title: texts.menu.devices, group: 'inventory', load: () => import('../inventory/devices.ts') },
  device: {
    title: texts.menu.device,
    under: 'devices',
    id: number,
    load: () => import('../inventory/device.ts'),
  },
  zones: { title: texts.menu.zones, group: 'inventory', load: () => import('../inventory/zones.ts') },
  views: { title: texts.menu.views, group: 'inventory', load: () => import('../inventory/views.ts') },
  addresses: {
    title: texts.menu.addresses,
    group: 'inventory',
    load: () => import('../inventory/addresses.ts'),
  },
  terminals: {
    title: texts.menu.terminals,
    group: 'inventory',
    load: () => import('../inventory/terminals.ts'),
  },
  terminal: {
    title: texts.menu.terminal,
    under: 'terminals',
    id: number,
    load: () => import('../inventory/terminal.ts'),
  },
  stays: { title: texts.menu.stays, under: 'terminals', load: () => import('../inventory/stays.ts') },
  bindings: {
    title: texts.menu.bindings,
    group: 'inventory',
    load: () => import('../inventory/bindings.ts'),
  },
  reports: { title: texts.menu.reports, group: 'watch', load: () => import('../reports/templates.ts') },
  report: {
    title: texts.menu.report,
    under: 'reports',
    id: number,
    load: () => import('../reports/report.ts'),
  },
  import: {
    title: texts.menu.import,
    group: 'inventory',
    needs: 'operator',
    load: () => import('../running/import.ts'),
  },
  clients: { title: texts.menu.clients, group: 'run', load: () => import('../running/clients.ts') },
  modules: { title: texts.menu.modules, group: 'decide', load: () => import('../running/modules.ts') },
  operators: {
    title: texts.menu.operators,
    group: 'run',
    needs: 'administrator',
    load: () => import('../running/operators.ts'),
  },
  tokens: { title: texts.menu.tokens, group: 'run', load: () => import('../running/tokens.ts') },
  sessions: { title: texts.menu.sessions, group: 'run', load: () => import('../running/sessions.ts') },
  audit: {
    title: texts.menu.audit,
    group: 'run',
    needs: 'administrator',
    load: () => import('../running/audit.ts'),
  },
  settings: {
    title: texts.menu.settings,
    group: 'run',
    needs: 'administrator',
    load: () => import('../running/settings.ts'),
  },
}

/** Undefined where there is no such page, or nothing can have such an id. */
export function pageAt(name: string, id: string): Page | undefined {
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined
  return page?.id && !page.id.test(id) ? undefined : page
}

export const groups = ['watch', 'decide', 'inventory', 'run'] as const
