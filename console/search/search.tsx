// The search over everything, whose code is loaded when it is first opened.

import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { closeSearch, collectKeys, isSearching } from '../core/searching.ts'
import { complain } from '../parts/toast.tsx'

export const loadSearch = () => import('./search-dialog.tsx')

export function Search() {
  const [Content, setContent] = useState<ComponentType>()
  const isWanted = isSearching.value
  const isAwaited = isWanted && !Content
  useLayoutEffect(() => (isAwaited ? collectKeys() : undefined), [isAwaited])
  useEffect(() => {
    if (!isWanted || Content) return
    loadSearch().then(
      ({ default: Dialog }) => setContent(() => Dialog),
      (error) => {
        closeSearch()
        complain(error)
      },
    )
  }, [isWanted])
  return isWanted && Content ? <Content /> : null
}
