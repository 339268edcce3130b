// A shape as a text that messages are searched by.

/** The longest words beside each other that all of its messages have. */
export function longestRun(shape: string): string {
  let longest = ''
  let run = ''
  for (const word of shape.split(' ')) {
    run = word === '*' ? '' : run === '' ? word : `${run} ${word}`
    if (run.length > longest.length) longest = run
  }
  return longest
}
