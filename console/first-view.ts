// What a browser runs first, and the page that most people open: one file when it is served.

import './alarms/early.ts'
import './main.tsx'
import './alarms/alarms-page.tsx'
