// How fresh the page is: live, not up to date since when, or with a gap. It is always shown.

import { clockText, now } from '../core/time-text.ts'
import { texts } from '../texts/shared-texts.ts'
import { gap, openAlarms, retryNow, streamState } from './live.ts'

/** Beside the menu, on every page. */
export function Freshness() {
  const state = streamState.value
  if (state.kind === 'live')
    return (
      <span class="freshness live" title={texts.stream.liveHint}>
        <i aria-hidden="true" />
        {texts.stream.live}
      </span>
    )
  if (state.kind === 'loading') {
    void openAlarms.version.value
    const here = openAlarms.rows.size
    return (
      <span class="freshness">
        <i aria-hidden="true" />
        {here > 0 ? texts.stream.loadingOf(here) : texts.stream.loading}
      </span>
    )
  }
  return (
    <span class="freshness stale" title={texts.stream.stale(clockText(state.since / 1000))}>
      <i aria-hidden="true" />
      {texts.stream.notLive}
    </span>
  )
}

/** Across the page, as long as something is wrong: below it, so that nothing moves that somebody aims at. */
export function Banners() {
  const state = streamState.value
  void now.value
  const missed = gap.value
  return (
    <div class="banners" role="status" aria-live="polite">
      {state.kind === 'stale' && (
        <div class="banner stale">
          <strong>{texts.stream.stale(clockText(state.since / 1000))}.</strong>
          <span>
            {texts.stream.staleHint(
              state.reason,
              Math.max(0, Math.round((state.nextTry - Date.now()) / 1000)),
            )}
          </span>
          <button type="button" onClick={retryNow}>
            {texts.stream.retry}
          </button>
        </div>
      )}
      {missed && (
        <div class="banner gap">
          <span>{texts.stream.gap(clockText(missed.at / 1000))}</span>
          <button
            type="button"
            onClick={() => {
              gap.value = undefined
            }}
          >
            {texts.stream.gapRead}
          </button>
        </div>
      )}
    </div>
  )
}
