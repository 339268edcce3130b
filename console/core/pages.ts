// Every page: its place in the menu, whom it is for, and where its code is. Code is loaded when the page is opened.

import type { ComponentType } from 'preact'
import { texts } from '../texts.ts'
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
  readonly load: () => Promise<Module>
}

export const pages: Readonly<Record<string, Page>> = {
  alarms: { title: texts.menu.alarms, group: 'watch', load: () => import('../alarms/page.ts') },
}

export const groups = ['watch', 'decide', 'inventory', 'run'] as const
