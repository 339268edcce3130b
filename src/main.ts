// Command line → command; nothing else.

import { userInfo } from 'node:os'
import { type Command, runCommand } from './cli/command.ts'
import { didYouMean } from './config/nearest.ts'
import { version } from './config/version.ts'
import { Fault, shown } from './fault.ts'

/** Each is loaded when it is called: asking for the health of a service needs little of what makes a service. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/commands/serve-command.ts')).serve,
  demo: async () => (await import('./cli/commands/demo-command.ts')).demo,
  load: async () => (await import('./cli/commands/load-command.ts')).load,
  export: async () => (await import('./cli/commands/export-command.ts')).exportCommand,
  mib: async () => (await import('./cli/commands/mib-command.ts')).mib,
  event: async () => (await import('./cli/commands/event-command.ts')).event,
  trap: async () => (await import('./cli/commands/trap-command.ts')).trap,
  syslog: async () => (await import('./cli/commands/syslog-command.ts')).syslog,
  ask: async () => (await import('./cli/commands/ask-command.ts')).ask,
  profile: async () => (await import('./cli/commands/profile-command.ts')).profile,
  discover: async () => (await import('./cli/commands/discover-command.ts')).discover,
  netbox: async () => (await import('./cli/commands/netbox-command.ts')).netbox,
  tail: async () => (await import('./cli/commands/tail-command.ts')).tail,
  operator: async () => (await import('./cli/commands/operator-command.ts')).operator,
  notify: async () => (await import('./cli/commands/notify-command.ts')).notify,
  key: async () => (await import('./cli/commands/key-command.ts')).key,
  backup: async () => (await import('./cli/commands/backup-command.ts')).backup,
  restore: async () => (await import('./cli/commands/restore-command.ts')).restoreCommand,
  move: async () => (await import('./cli/commands/move-command.ts')).move,
  check: async () => (await import('./cli/commands/check-command.ts')).check,
  health: async () => (await import('./cli/commands/health-command.ts')).health,
  completion: async () => (await import('./cli/commands/completion-command.ts')).completionOf(allCommands),
}

const allCommands = () => Promise.all(Object.values(commands).map((load) => load()))

async function help(): Promise<string> {
  const lines = (await allCommands()).map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`)
  return `Belfry ${version}: SNMP traps become alarms, alarms reach programs over HTTP.

Usage: belfry COMMAND [options]

${lines.join('\n')}

belfry COMMAND --help shows more about each.`
}

function asOwner(): string {
  let owner = `uid ${process.geteuid?.()}`
  try {
    owner = `${userInfo().username}, ${owner}`
  } catch {
    // The machine has no name for this user.
  }
  return `A command of root works on a data folder as the owner of the folder (${owner}): name a place that this user may read or write, or give it the right to`
}

export async function main(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const [name = 'help', ...rest] = args[0] === 'help' && args[1] ? [args[1], '--help'] : args
  const wasRoot = process.geteuid?.() === 0
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  try {
    if (load) process.exitCode = await runCommand(await load(), rest, environment)
    else if (['help', '--help', '-h'].includes(name)) console.log(await help())
    else if (['version', '--version', '-v'].includes(name)) console.log(version)
    else {
      const advice = didYouMean(name, [...Object.keys(commands), 'help', 'version'], 'belfry help lists all')
      throw new Fault('invalid', `${shown(name)} is not a command: ${advice}`)
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const isOther = wasRoot && process.geteuid?.() !== 0 && /EACCES|EPERM|permission/.test(error.message)
    const why = isOther ? `. ${asOwner()}` : ''
    console.error(`belfry: ${error.message}${why}`)
    process.exitCode = error.code === 'invalid' ? 2 : 1
  }
}
