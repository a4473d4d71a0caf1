// Holds a site that was built to what its readers rely on: every page is in the navigation,
// every fragment of a link is there, and the search finds words of the pages.
//
//	node check.mjs OUT WORD…
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'

const [out, ...words] = process.argv.slice(2)
const failures = []
const files = readdirSync(out, { recursive: true, withFileTypes: true })
  .filter((f) => f.isFile())
  .map((f) => relative(out, join(f.parentPath, f.name)).split(sep).join('/'))

const pages = new Map(files.filter((f) => f.endsWith('.html') && f !== '404.html').map((f) => ['/' + f, readFileSync(join(out, f), 'utf8')]))
const ids = new Map([...pages].map(([page, html]) => [page, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map((m) => m[1]))]))
const addressed = (href) => (href.endsWith('/') ? href + 'index.html' : href.endsWith('.html') ? href : href + '.html')

for (const [page, html] of pages) {
  const linked = new Set()
  for (const [, href] of html.matchAll(/<a [^>]*?href="(\/[^"]*|#[^"]*)"/g)) {
    const [path, fragment] = href.split('#')
    const target = path ? addressed(path) : page
    linked.add(target)
    if (fragment && fragment !== 'VPContent' && ids.has(target) && !ids.get(target).has(decodeURIComponent(fragment))) {
      failures.push(`${page} links to ${href}, and there is no such heading`)
    }
  }
  for (const other of pages.keys()) {
    if (!linked.has(other)) failures.push(`${other} is not in the navigation of ${page}`)
  }
}

const chunk = files.find((f) => /localSearchIndexroot.*\.js$/.test(f))
if (!chunk) {
  failures.push('there is no index for the search')
} else {
  const { default: index } = await import(pathToFileURL(join(out, chunk)))
  const search = MiniSearch.loadJSON(index, { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] })
  for (const word of words) {
    if (search.search(word).length === 0) failures.push(`the search finds nothing for ${word}`)
  }
  if (search.search('nosuchwordinanypage').length) failures.push('the search finds a word that is nowhere')
}

if (pages.size < 10) failures.push(`the site has only ${pages.size} pages`)
console.log(`${pages.size} pages`)
for (const f of failures) console.error(f)
process.exit(failures.length ? 1 : 0)
