// A secret that the service has just made: shown once, to be copied.

import { copyText } from '../core/clipboard.ts'
import { texts } from '../texts/shared-texts.ts'
import { Dialog } from './dialog.tsx'
import { complain, say } from './toast.tsx'

const words = texts.secret

interface SecretProps {
  readonly title: string
  readonly hint: string
  readonly secret: string
  readonly close: () => void
}

export const copyAndSay = (text: string) => copyText(text).then(() => say(words.copied), complain)

export const SecretDialog = ({ title, hint, secret, close }: SecretProps) => (
  <Dialog title={title} onClose={close}>
    <p>{hint}</p>
    <code class="secret" tabindex={0}>
      {secret}
    </code>
    <footer>
      <button type="button" onClick={() => void copyAndSay(secret)}>
        {words.copy}
      </button>
      <button type="button" class="main" onClick={close}>
        {texts.close}
      </button>
    </footer>
  </Dialog>
)
