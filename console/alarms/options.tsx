// Settings of the page: a sound or a notification for each new critical alarm; its keys, and the wall mode. Stored in
// this browser.

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { address, go, hrefOf, setQuery } from '../core/address.ts'
import { may } from '../core/session.ts'
import { Panel } from '../parts/panel.tsx'
import { complain } from '../parts/toast.tsx'
import { texts } from '../texts/shared-texts.ts'
import { openAlarms } from './live.ts'
import type { AlarmRow } from './row.ts'

const words = texts.options

function kept(name: string, initial: 'on' | 'off' = 'off') {
  const key = `belfry ${name}`
  const state = signal((localStorage.getItem(key) ?? initial) === 'on')
  return {
    get value() {
      return state.value
    },
    set(on: boolean) {
      state.value = on
      localStorage.setItem(key, on ? 'on' : 'off')
    },
  }
}

const sound = kept('sound')
const notify = kept('notify')
export const shortKeys = kept('keys', 'on')

let audio: AudioContext | undefined
let lastPlayed = 0

/** Two soft strokes of a bell; one for many that come at once. */
export function ring(): void {
  if (Date.now() - lastPlayed < 2000) return
  lastPlayed = Date.now()
  audio ??= new AudioContext()
  const { currentTime, destination } = audio
  for (const [at, pitch] of [
    [0, 880],
    [0.18, 660],
  ] as const) {
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.value = pitch
    volume.gain.setValueAtTime(0.0001, currentTime + at)
    volume.gain.exponentialRampToValueAtTime(0.2, currentTime + at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, currentTime + at + 0.7)
    tone.connect(volume).connect(destination)
    tone.start(currentTime + at)
    tone.stop(currentTime + at + 0.75)
  }
}

function showNotification({ id, device, text, level }: AlarmRow): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  const shown = new Notification(`${texts.levels[level]}: ${device}`, {
    body: text.slice(0, 300),
    tag: `alarm ${id}`,
  })
  shown.onclick = () => {
    focus()
    go(hrefOf('alarm', id))
    shown.close()
  }
}

const critical = 1

export function startOptions(): void {
  openAlarms.onNew((row) => {
    if (row.level > critical || row.acknowledged) return
    if (sound.value) ring()
    if (notify.value && document.hidden) showNotification(row)
  })
}

async function setNotify(on: boolean): Promise<void> {
  if (!on) return notify.set(false)
  const permission = typeof Notification === 'undefined' ? 'denied' : await Notification.requestPermission()
  if (permission === 'granted') notify.set(true)
  else complain(new Error(words.notifyRefused))
}

export const isWall = () => address.value.query.get('wall') === 'true'

export function setWall(on: boolean): void {
  setQuery({ wall: on ? 'true' : '' }, { replace: false })
}

const Toggle = ({ on, text, set }: { on: boolean; text: string; set: (on: boolean) => void }) => (
  <label class="check">
    <input type="checkbox" checked={on} onChange={() => set(!on)} />
    {text}
  </label>
)

/** `children` follow: what else can be done with the list. */
export const Options = ({ children }: { children: ComponentChildren }) => (
  <Panel label={words.label}>
    <Toggle
      on={sound.value}
      text={words.sound}
      set={(on: boolean) => {
        sound.set(on)
        if (on) ring()
      }}
    />
    <Toggle on={notify.value} text={words.notify} set={(on: boolean) => void setNotify(on)} />
    <Toggle on={shortKeys.value} text={words.keys} set={shortKeys.set} />
    <button type="button" onClick={() => setWall(true)}>
      {words.wall} <kbd>w</kbd>
    </button>
    {may('operator') && (
      <a class="button" href={hrefOf('raise')}>
        {words.raise}
      </a>
    )}
    {children}
  </Panel>
)
