// The site of the documentation: the pages of the repository, where they are, under a
// navigation that is made of the files that are there.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const site = join(dirname(fileURLToPath(import.meta.url)), '..', 'src')
const checkout = process.env.CHECKOUT
const hosting = 'https://github.com/seed-933f9a09/twinplatform/blob/main/'

const titleOf = (page) => /^# (.+)$/m.exec(readFileSync(join(site, page), 'utf8'))?.[1].replaceAll('`', '') ?? page
const pagesIn = (folder) =>
  readdirSync(join(site, folder))
    .filter((name) => name.endsWith('.md'))
    .sort((a, b) => (b === 'index.md') - (a === 'index.md') || titleOf(posix.join(folder, a)).localeCompare(titleOf(posix.join(folder, b))))
    .map((name) => posix.join(folder, name))
const item = (page) => ({ text: titleOf(page), link: '/' + page.replace(/(index)?\.md$/, '') })
const group = (text, folder, collapsed) => ({ text, collapsed, items: pagesIn(folder).map(item) })

// A link to a file that is no page leads to the hosting of the repository, if the file is
// there; one to a README leads to the index that it has become.
function elsewhere(md) {
  md.core.ruler.push('elsewhere', (state) => {
    for (const block of state.tokens) {
      for (const token of block.children ?? []) {
        if (token.type !== 'link_open') continue
        const [path, fragment] = token.attrGet('href').split('#')
        if (!path || /^[a-z]+:/.test(path)) continue
        const target = posix.join(posix.dirname(state.env.relativePath), path)
        const page = target.replace(/README\.md$/, 'index.md')
        if (page.endsWith('.md') && existsSync(join(site, page))) {
          const link = '/' + page + (fragment ? '#' + fragment : '')
          token.attrSet('href', link)
        } else if (existsSync(join(checkout, target))) {
          token.attrSet('href', hosting + target)
        } // else VitePress reports it as dead
      }
    }
  })
}

// Headings have the fragments that the hosting gives them, so that one link works in both.
const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')

export default {
  title: 'twinplatform',
  description: 'An emulator and an embeddable implementation of the REST APIs of a digital-twin platform',
  srcDir: 'src',
  outDir: process.env.OUT,
  cacheDir: 'cache',
  base: process.env.BASE ?? '/',
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true,
  markdown: { html: false, anchor: { slugify }, config: elsewhere },
  themeConfig: {
    search: { provider: 'local', options: { detailedView: true } },
    outline: [2, 3],
    nav: [{ text: 'Specification', link: '/docs/specification' }, { text: 'Operations', link: '/docs/operations' }, { text: 'Changes', link: '/CHANGELOG' }],
    sidebar: [
      group('twinplatform', '.'),
      group('Pages', 'docs'),
      ...readdirSync(join(site, 'docs'))
        .filter((name) => statSync(join(site, 'docs', name)).isDirectory() && pagesIn('docs/' + name).length)
        .map((name) => group(titleOf(`docs/${name}/index.md`), 'docs/' + name, true)),
    ],
    socialLinks: [{ icon: 'github', link: 'https://github.com/seed-933f9a09/twinplatform' }],
  },
}
