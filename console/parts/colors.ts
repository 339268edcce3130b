// Colours of the style sheet for what is not drawn by it: charts and maps.

/** A canvas does not know `light-dark()`: an element computes the colour, as it is now or in one of the two. */
export function colorOf(name: string, scheme?: 'light' | 'dark'): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  if (scheme) probe.style.colorScheme = scheme
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Calls back whenever the colours have changed; returns how to end it. */
export function onTheme(changed: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', changed)
  const theme = new MutationObserver(changed)
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => {
    scheme.removeEventListener('change', changed)
    theme.disconnect()
  }
}
