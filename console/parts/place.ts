// Where something opens that lies over the page: next to the button it belongs to, and inside the window.

/** Pixels between the two, and to the edge of the window. */
const gap = 4

/** At the end of the button or at its beginning, on the side with more room; above it where there is little below. */
export function placeBelow(button: HTMLElement, over: HTMLElement): void {
  const { top, left, right, bottom } = button.getBoundingClientRect()
  const width = document.documentElement.clientWidth
  const isLeft = left + right < width
  const isLow = bottom > innerHeight * 0.6
  over.style.left = isLeft ? `${Math.max(gap, left)}px` : 'auto'
  over.style.right = isLeft ? 'auto' : `${Math.max(gap, width - right)}px`
  over.style.top = isLow ? 'auto' : `${bottom + gap}px`
  over.style.bottom = isLow ? `${innerHeight - top + gap}px` : 'auto'
}
