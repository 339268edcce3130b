// A mail server for tests, which does as it is told at each point of a conversation, and keeps what it is given.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

/** What the server does at a point, instead of what it should: says something else, or acts. */
type Reply = string | ((socket: Socket) => void)
export type Point = 'greeting' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'end'
export type Conduct = Partial<Record<Point, Reply>>

const usual: Readonly<Record<Point, string>> = {
  greeting: '220 mail.example.net',
  EHLO: '250-mail.example.net\r\n250 AUTH PLAIN',
  STARTTLS: '502 5.5.1 not known',
  AUTH: '235 welcome',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  end: '250 taken',
}

export class MailServer {
  readonly mails: string[] = []
  readonly commands: string[] = []
  conduct: Conduct = {}
  port = 0

  static async start(): Promise<MailServer> {
    const mailServer = new MailServer()
    const server = createServer((socket) => mailServer.#serve(socket))
    after(() => server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    mailServer.port = (server.address() as AddressInfo).port
    return mailServer
  }

  #serve(socket: Socket): void {
    let [text, mail]: [string, string | undefined] = ['', undefined]
    socket.on('error', () => undefined)
    const at = (point: Point) => {
      const reply = this.conduct[point] ?? usual[point]
      if (typeof reply === 'string') socket.write(`${reply}\r\n`)
      else reply(socket)
    }
    socket.on('data', (part) => {
      text += part.toString('latin1')
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        if (mail !== undefined) {
          if (line !== '.') mail += `${line}\n`
          else {
            this.mails.push(mail)
            mail = undefined
            at('end')
          }
          continue
        }
        this.commands.push(line)
        const point = line.slice(0, line.search(/ |$/)).toUpperCase()
        if (point === 'QUIT') socket.end('221 bye\r\n')
        else at(point as Point)
        if (point === 'DATA' && (this.conduct.DATA ?? usual.DATA).toString().startsWith('354')) mail = ''
      }
    })
    at('greeting')
  }
}
