// The icons are taken one by one, so that making the console's files does not read all of them; the library's types are
// of the whole.

declare module 'lucide/dist/esm/icons/*.mjs' {
  const icon: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[]
  export default icon
}
