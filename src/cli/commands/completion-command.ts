// belfry completion: prints a script with which a shell completes commands, options and their values.

import { settings } from '../../config/settings.ts'
import { type Command, type Option, verbOf } from '../command.ts'

const text = `Prints a script by which a shell completes what is typed behind "belfry".

  source <(belfry completion bash)                                   in ~/.bashrc
  source <(belfry completion zsh)                                    in ~/.zshrc, after compinit
  belfry completion fish > ~/.config/fish/completions/belfry.fish

Exit codes: 0 printed, 2 wrong arguments.`

/** What can stand in a place, and what to say of it. */
type Words = readonly (readonly [word: string, help: string])[]

/** The input of a completion script. */
interface Table {
  readonly commands: Words
  /** The actions of a command, by its name. */
  readonly verbs: readonly (readonly [command: string, words: Words])[]
  /** The options of a command beside the settings, by its name. */
  readonly options: readonly (readonly [command: string, words: Words])[]
  readonly settings: Words
  /** The values of options, by `command --option`; of settings, `* --setting`. Empty where it can be anything. */
  readonly values: readonly (readonly [place: string, words: Words])[]
}

const shells: Readonly<Record<string, (table: Table) => string>> = { bash, zsh, fish }

/** Of the table of commands, which it is a part of. */
export const completionOf = (commands: () => Promise<readonly Command[]>): Command => ({
  name: 'completion',
  summary: 'prints a script by which a shell completes commands and options',
  usage: `belfry completion ${Object.keys(shells).join('|')}`,
  text,
  takesFiles: true,
  verbs: Object.keys(shells),
  async run({ files: [shell] }) {
    const script = verbOf(shells, shell, 'completion')
    console.log(script(tableOf(await commands())))
    return 0
  },
})

function tableOf(all: readonly Command[]): Table {
  const entries = (table: Readonly<Record<string, Option>>) => Object.entries(table)
  const words = (table: Readonly<Record<string, Option>>) =>
    entries(table).map(([name, { help }]) => [`--${name}`, firstSentence(help)] as const)
  const values = (command: string, table: Readonly<Record<string, Option>>) =>
    entries(table)
      .filter(([, { form }]) => form !== undefined)
      .map(([name, option]) => [`${command} --${name}`, bare(valuesOf(option))] as const)
  return {
    commands: all.map(({ name, summary }) => [name, summary]),
    verbs: all.map(({ name, verbs = [] }) => [name, bare(verbs)]),
    options: all.map(({ name, options = {} }) => [name, words(options)]),
    settings: words({ ...settings, ...common }),
    values: [
      ...all.flatMap(({ name, options = {} }) => values(name, options)),
      ...values('*', { ...settings, ...common }),
    ],
  }
}

const common: Readonly<Record<string, Option>> = {
  config: { form: 'FILE', help: 'A JSON file of settings.' },
  help: { help: 'Shows how the command is used.' },
}

const bare = (names: readonly string[]): Words => names.map((name) => [name, ''])

/** Those that its form lists; a form in capitals names a kind. */
const valuesOf = ({ words, form = '' }: Option): readonly string[] =>
  words ?? (/^[a-z-]+(\|[a-z-]+)+$/.test(form) ? form.split('|') : [])

const firstSentence = (help: string) => /^.*?\.(?= |$)/.exec(help)?.[0] ?? help

const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`
const namesOf = (words: Words) => words.map(([word]) => word).join(' ')
const present = (rows: Table['values']) => rows.filter(([, words]) => words.length > 0)
const cases = (rows: Table['values'], body: (words: Words) => string) =>
  rows.map(([place, words]) => `    ${place.replaceAll(' ', '\\ ')}) ${body(words)} ;;`).join('\n')

function bash({ commands, verbs, options, settings: common, values }: Table): string {
  const assign = (words: Words) => `words=${quoted(namesOf(words))}`
  return `# Completion of belfry for bash, made by "belfry completion bash".
_belfry() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]} words=
  if ((COMP_CWORD == 1)); then
    words=${quoted(namesOf(commands))}
  elif [[ $word == -* ]]; then
    case $command in
${cases(present(options), assign)}
    esac
    words+=' '${quoted(namesOf(common))}
  else
    case "$command $before" in
${cases(present(values), assign)}
    *) ((COMP_CWORD == 2)) && case $command in
${cases(present(verbs), assign)}
      esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _belfry belfry`
}

function zsh({ commands, verbs, options, settings: common, values }: Table): string {
  const list = (words: Words) =>
    words
      .map(([word, help]) => quoted(help === '' ? word : `${word.replaceAll(':', '\\:')}:${help}`))
      .join(' ')
  const assign = (words: Words) => `found=(${list(words)})`
  return `#compdef belfry
# Completion of belfry for zsh, made by "belfry completion zsh".
_belfry() {
  local word=\${words[CURRENT]} before=\${words[CURRENT-1]} command=\${words[2]}
  local -a found
  if ((CURRENT == 2)); then
    found=(${list(commands)})
  elif [[ $word == -* ]]; then
    case $command in
${cases(present(options), assign)}
    esac
    found+=(${list(common)})
  else
    case "$command $before" in
${cases(present(values), assign)}
    *) ((CURRENT == 3)) && case $command in
${cases(present(verbs), assign)}
      esac ;;
    esac
  fi
  if (($#found)); then _describe belfry found; else _files; fi
}
if [[ $funcstack[1] == _belfry ]]; then _belfry "$@"; else compdef _belfry belfry; fi`
}

function fish({ commands, verbs, options, settings: common, values }: Table): string {
  const known = new Map(values)
  const of = (help: string) => (help === '' ? '' : ` -d ${quoted(help.replaceAll('\\', '\\\\'))}`)
  const option = (command: string, condition: string, [word, help]: readonly [string, string]) => {
    const taken = known.get(`${command} ${word}`)
    const value = taken === undefined ? '' : taken.length > 0 ? ` -x -a ${quoted(namesOf(taken))}` : ' -r -F'
    return `complete -c belfry${condition} -l ${word.slice(2)}${value}${of(help)}`
  }
  const after = (command: string) => ` -n '__fish_seen_subcommand_from ${command}'`
  const lines = [
    ...commands.map(([word, help]) => `complete -c belfry -f -n __fish_use_subcommand -a ${word}${of(help)}`),
    ...present(verbs).map(
      ([command, words]) =>
        `complete -c belfry -n 'test (count (commandline -opc)) -eq 2; and __fish_seen_subcommand_from ${command}' -f -a ${quoted(namesOf(words))}`,
    ),
    ...options.flatMap(([command, words]) => words.map((word) => option(command, after(command), word))),
    ...common.map((word) => option('*', " -n 'not __fish_use_subcommand'", word)),
  ]
  return `# Completion of belfry for fish, made by "belfry completion fish".\n${lines.join('\n')}`
}
