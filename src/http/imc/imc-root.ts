// iMC-compatible clients put /imcrs before every path. The root of a request alone says whether one of them asks: the
// public address of the service may end like that as well.

export const imcRoot = '/imcrs'

/** The root that a caller used. */
export type Root = '' | typeof imcRoot

export const isImcRoot = ({ root }: { readonly root: Root }): boolean => root === imcRoot

/** Takes the root off the steps of a path, and returns it. */
export function takeRoot(steps: string[]): Root {
  if (steps[0] !== imcRoot.slice(1)) return ''
  steps.shift()
  return imcRoot
}
