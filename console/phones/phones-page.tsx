// The page of the demo's phones: a phone per person, with the messages that it has received. It shares nothing with the
// pages of the service, which knows of it only as a server that takes messages.

import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { locales } from '../texts/language.ts'
import { phoneTexts as words } from '../texts/phone-texts.ts'

/** As the demo keeps it. */
interface Message {
  readonly topic: string
  readonly sequence_id: string
  readonly title: string
  readonly message: string
  /** 5 is the most urgent. */
  readonly priority: number
  readonly actions: readonly { readonly label: string; readonly url: string }[]
  /** Milliseconds. */
  readonly time: number
  /** How many of one incident it stands for. */
  readonly count: number
}

const Card = ({ title, message, priority, actions, time, count }: Message) => {
  // Other kinds of links could be scripts.
  const links = actions.filter(({ url }) => /^https?:/.test(url))
  const when = new Date(time).toLocaleTimeString(locales.times)
  return (
    <li class={`p${priority}`}>
      <b>{title}</b>
      <p>{message}</p>
      {links.length > 0 && (
        <div>
          {links.map(({ label, url }) => (
            <a key={url} href={url} target="_blank" rel="noreferrer noopener">
              {label}
            </a>
          ))}
        </div>
      )}
      <small>{count > 1 ? words.again(when, count) : when}</small>
    </li>
  )
}

const Phone = ({ topic, messages }: { topic: string; messages: readonly Message[] }) => (
  <section class="phone">
    <h2>{topic}</h2>
    <ol tabindex={0} aria-label={words.messagesTo(topic)}>
      {messages.map((one) => (
        <Card key={`${one.sequence_id} ${one.time}`} {...one} />
      ))}
    </ol>
  </section>
)

const everyMilliseconds = 1000

/** The newest first; what came last stays while the demo is stopped, or starts again. */
function useMessages(): readonly Message[] {
  const [messages, setMessages] = useState<readonly Message[]>([])
  useEffect(() => {
    let shown = ''
    const look = async () => {
      const text = await fetch('/messages').then(
        (answer) => (answer.ok ? answer.text() : shown),
        () => shown,
      )
      if (text !== shown) setMessages((JSON.parse(text) as Message[]).reverse())
      shown = text
    }
    void look()
    const timer = setInterval(() => void look(), everyMilliseconds)
    return () => clearInterval(timer)
  }, [])
  return messages
}

/** A phone keeps its place, whoever was told last. */
function Phones() {
  const messages = useMessages()
  const topics = [...new Set(messages.map(({ topic }) => topic))].sort()
  return (
    <>
      <h1>{words.title}</h1>
      <p class="about">{words.about}</p>
      <main aria-live="polite">
        {topics.length === 0 && <p>{words.none}</p>}
        {topics.map((topic) => (
          <Phone key={topic} topic={topic} messages={messages.filter((one) => one.topic === topic)} />
        ))}
      </main>
    </>
  )
}

document.title = words.title
const place = document.getElementById('phones')
if (place) render(<Phones />, place)
