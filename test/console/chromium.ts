// Debian's Chromium, without a window: for tests, measurements and pictures of the console.

import { type Browser, chromium } from 'playwright-core'
import { patience } from '../patience.ts'

export const program = process.env.CHROMIUM ?? '/usr/bin/chromium'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: program, args: flags, timeout: patience })
