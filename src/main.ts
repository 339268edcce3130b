// Command line → command; nothing else.

import { version } from './app.ts'
import { backup } from './cli/backup.ts'
import { check } from './cli/check.ts'
import { type Command, runCommand } from './cli/command.ts'
import { demo } from './cli/demo.ts'
import { exportCommand } from './cli/export.ts'
import { health } from './cli/health.ts'
import { load } from './cli/load.ts'
import { mib } from './cli/mib.ts'
import { move } from './cli/move.ts'
import { operator } from './cli/operator.ts'
import { restoreCommand } from './cli/restore.ts'
import { serve } from './cli/serve.ts'
import { tail } from './cli/tail.ts'
import { trap } from './cli/trap.ts'
import { Fault } from './fault.ts'

const commands: readonly Command[] = [
  serve,
  demo,
  load,
  exportCommand,
  mib,
  trap,
  tail,
  operator,
  backup,
  restoreCommand,
  move,
  check,
  health,
]

function help(): string {
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(8)} ${summary}`)
  return `Belfry ${version}: SNMP traps become alarms, alarms reach programs over HTTP.

Usage: belfry COMMAND [options]

${lines.join('\n')}

belfry COMMAND --help shows more about each.`
}

export async function main(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const [name = 'help', ...rest] = args[0] === 'help' && args[1] ? [args[1], '--help'] : args
  const wasRoot = process.geteuid?.() === 0
  const command = commands.find((candidate) => candidate.name === name)
  try {
    if (command) process.exitCode = await runCommand(command, rest, environment)
    else if (['help', '--help', '-h'].includes(name)) console.log(help())
    else if (['version', '--version', '-v'].includes(name)) console.log(version)
    else {
      console.error(`belfry: "${name}" is not a command\n\n${help()}`)
      process.exitCode = 2
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const isOther = wasRoot && process.geteuid?.() !== 0 && /EACCES|EPERM|permission/.test(error.message)
    const why = isOther ? ` (root works on a data folder as its owner, here uid ${process.geteuid?.()})` : ''
    console.error(`belfry: ${error.message}${why}`)
    process.exitCode = error.code === 'invalid' ? 2 : 1
  }
}
