// The icons of the console, by what they stand for. All are of one set, Lucide; only these are part of the page.

import reachability from 'lucide/dist/esm/icons/activity.mjs'
import arrowDown from 'lucide/dist/esm/icons/arrow-down.mjs'
import arrowUp from 'lucide/dist/esm/icons/arrow-up.mjs'
import alarms from 'lucide/dist/esm/icons/bell.mjs'
import events from 'lucide/dist/esm/icons/book-open.mjs'
import calendar from 'lucide/dist/esm/icons/calendar-days.mjs'
import check from 'lucide/dist/esm/icons/check.mjs'
import descending from 'lucide/dist/esm/icons/chevron-down.mjs'
import previous from 'lucide/dist/esm/icons/chevron-left.mjs'
import closed from 'lucide/dist/esm/icons/chevron-right.mjs'
import ascending from 'lucide/dist/esm/icons/chevron-up.mjs'
import columns from 'lucide/dist/esm/icons/columns-3.mjs'
import more from 'lucide/dist/esm/icons/ellipsis.mjs'
import reports from 'lucide/dist/esm/icons/file-chart-column.mjs'
import rules from 'lucide/dist/esm/icons/funnel.mjs'
import heartbeats from 'lucide/dist/esm/icons/heart-pulse.mjs'
import tokens from 'lucide/dist/esm/icons/key-round.mjs'
import views from 'lucide/dist/esm/icons/layers.mjs'
import overview from 'lucide/dist/esm/icons/layout-dashboard.mjs'
import tiles from 'lucide/dist/esm/icons/layout-grid.mjs'
import modules from 'lucide/dist/esm/icons/library.mjs'
import bindings from 'lucide/dist/esm/icons/link-2.mjs'
import signOut from 'lucide/dist/esm/icons/log-out.mjs'
import map from 'lucide/dist/esm/icons/map.mjs'
import zones from 'lucide/dist/esm/icons/map-pin.mjs'
import fit from 'lucide/dist/esm/icons/maximize.mjs'
import messages from 'lucide/dist/esm/icons/message-square-text.mjs'
import minus from 'lucide/dist/esm/icons/minus.mjs'
import terminals from 'lucide/dist/esm/icons/monitor.mjs'
import sessions from 'lucide/dist/esm/icons/monitor-smartphone.mjs'
import addresses from 'lucide/dist/esm/icons/network.mjs'
import pause from 'lucide/dist/esm/icons/pause.mjs'
import oncall from 'lucide/dist/esm/icons/phone-call.mjs'
import play from 'lucide/dist/esm/icons/play.mjs'
import clients from 'lucide/dist/esm/icons/plug.mjs'
import plus from 'lucide/dist/esm/icons/plus.mjs'
import discoveries from 'lucide/dist/esm/icons/radar.mjs'
import traps from 'lucide/dist/esm/icons/radio-tower.mjs'
import history from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs'
import routes from 'lucide/dist/esm/icons/route.mjs'
import audit from 'lucide/dist/esm/icons/scroll-text.mjs'
import search from 'lucide/dist/esm/icons/search.mjs'
import told from 'lucide/dist/esm/icons/send.mjs'
import devices from 'lucide/dist/esm/icons/server.mjs'
import settings from 'lucide/dist/esm/icons/settings.mjs'
import look from 'lucide/dist/esm/icons/sliders-horizontal.mjs'
import trash from 'lucide/dist/esm/icons/trash.mjs'
import imports from 'lucide/dist/esm/icons/upload.mjs'
import operators from 'lucide/dist/esm/icons/user-cog.mjs'
import me from 'lucide/dist/esm/icons/user-round.mjs'
import people from 'lucide/dist/esm/icons/users.mjs'
import gateways from 'lucide/dist/esm/icons/waypoints.mjs'
import maintenance from 'lucide/dist/esm/icons/wrench.mjs'
import close from 'lucide/dist/esm/icons/x.mjs'

/** Those of pages have the name of the page. */
export const icons = {
  ...{
    alarms,
    overview,
    map,
    history,
    reports,
    traps,
    messages,
    rules,
    maintenance,
    calendar,
    events,
    modules,
  },
  ...{ me, oncall, routes, told, people, gateways, heartbeats },
  ...{ devices, reachability, discoveries, zones, views, addresses, terminals, bindings, import: imports },
  ...{ clients, operators, tokens, sessions, audit, settings },
  ...{ arrowDown, arrowUp, ascending, check, close, closed, columns, descending },
  ...{ fit, look, minus, more, pause, play, plus, previous, search, signOut, tiles, trash },
} as const

export type IconName = keyof typeof icons
