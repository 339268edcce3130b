// Parses server-sent events from the text of an answer. The browser's own reader hides what is needed here: the status
// of a refusal, and the signs of life between events.

export interface ServerEvent {
  readonly name: string
  /** Absent where the event does not move the position. */
  readonly id: string | undefined
  readonly data: string
}

/** No event of the service is that long; an endless line must not fill the memory. */
const maxBufferLength = 8 * 1024 * 1024

export class SseReader {
  readonly #onEvent: (event: ServerEvent) => void
  #rest = ''
  #name = ''
  #id: string | undefined
  #data: string[] = []

  constructor(onEvent: (event: ServerEvent) => void) {
    this.#onEvent = onEvent
  }

  take(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n')
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > maxBufferLength) throw new Error('the stream holds a line without end')
    for (const line of lines) this.#line(line.endsWith('\r') ? line.slice(0, -1) : line)
  }

  #line(line: string): void {
    if (line === '') this.#end()
    // A comment is a sign of life.
    else if (!line.startsWith(':')) this.#field(line)
  }

  #field(line: string): void {
    const cut = line.indexOf(':')
    const field = cut < 0 ? line : line.slice(0, cut)
    const value = cut < 0 ? '' : line.slice(cut + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#name = value
    else if (field === 'id') this.#id = value
  }

  #end(): void {
    const event = { name: this.#name, id: this.#id, data: this.#data.join('\n') }
    this.#name = ''
    this.#id = undefined
    this.#data = []
    if (event.data !== '' || event.id !== undefined) this.#onEvent(event)
  }
}
