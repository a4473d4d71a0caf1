// What the block-blob library of npm makes of the addresses of files, in steps of their own:
//
//	node files.mjs stage         sends blocks, and tells of each that was acknowledged
//	node files.mjs finish        continues behind a break, and reads the file back
//	node files.mjs protocol      lists, metadata, conditions, sums, rights
//
// The environment has the addresses: WRITE, READ and EXPIRED.
import assert from 'node:assert/strict'
import { createCipheriv, createHash } from 'node:crypto'
import { AnonymousCredential, ContainerClient } from '@azure/storage-blob'

const { WRITE, READ, EXPIRED, SIZE, BLOCK, ACKNOWLEDGED, FILES, PAGE, MAXFILE } = process.env
const name = 'scans/große Brücke 1.las'
const size = Number(SIZE), blockSize = Number(BLOCK), blocks = Math.ceil(size / blockSize)

// One try for each request: what a break does is to be seen.
const open = (address, maxTries = 1) => new ContainerClient(address, new AnonymousCredential(), { retryOptions: { maxTries } })
const writer = open(WRITE), file = writer.getBlockBlobClient(name)

const blockID = i => Buffer.from(`block-${String(i).padStart(6, '0')}`).toString('base64')
const md5 = content => createHash('md5').update(content).digest()
const sha = content => createHash('sha256').update(content).digest('hex')

// content is that of a block, which no other has.
function content(i) {
	const iv = Buffer.alloc(16)
	iv.writeUInt32BE(i)
	return createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), iv).update(Buffer.alloc(Math.min(blockSize, size - i * blockSize)))
}

// each does something for each of a list, five at a time as the library does.
async function each(list, of, at = 5) {
	const left = [...list]
	await Promise.all(Array.from({ length: at }, async () => {
		while (left.length > 0) await of(left.shift())
	}))
}

// refused wants a failure as the library tells it, by status and code.
async function refused(status, code, promise) {
	try {
		await promise
	} catch (error) {
		// To HEAD there is no body that the library could read the code of.
		assert.deepEqual([error.statusCode, error.code ?? error.details?.errorCode], [status, code], `${error.message}`)
		return error
	}
	assert.fail(`${code} was expected, and nothing failed`)
}

const stageBlock = i => {
	const bytes = content(i)
	return file.stageBlock(blockID(i), bytes, bytes.length, { transactionalContentMD5: md5(bytes) })
}

async function stage() {
	await each(Array.from({ length: blocks }, (_, i) => i), async i => {
		await stageBlock(i)
		process.stdout.write(`acknowledged ${i}\n`)
	})
}

async function finish() {
	const before = ACKNOWLEDGED === '' ? [] : ACKNOWLEDGED.split(',').map(Number)
	if (before.length > 0) {
		const there = new Map((await file.getBlockList('uncommitted')).uncommittedBlocks.map(b => [b.name, b.size]))
		for (const i of before) assert.equal(there.get(blockID(i)), content(i).length, `block ${i}, which was acknowledged`)
	}
	await refused(404, 'BlobNotFound', file.download())
	const known = new Set(before)
	await each(Array.from({ length: blocks }, (_, i) => i).filter(i => !known.has(i)), stageBlock)
	const all = Array.from({ length: blocks }, (_, i) => blockID(i))
	const made = await file.commitBlockList(all, { blobHTTPHeaders: { blobContentType: 'application/vnd.las' }, metadata: { crs: 'EPSG:25832' } })
	const sent = createHash('sha256')
	for (let i = 0; i < blocks; i++) sent.update(content(i))
	const want = sent.digest('hex')

	const properties = await file.getProperties()
	assert.deepEqual([properties.contentLength, properties.contentType, properties.metadata.crs, properties.etag], [size, 'application/vnd.las', 'EPSG:25832', made.etag])
	// By ranges that no block has, each with its sum, and in whatever order they come.
	const piece = 3_333_333, pieces = new Array(Math.ceil(size / piece))
	await each(pieces.keys(), async i => {
		const count = Math.min(piece, size - i * piece)
		const got = await file.download(i * piece, count, { rangeGetContentMD5: true, conditions: { ifMatch: made.etag } })
		const parts = []
		for await (const part of got.readableStreamBody) parts.push(part)
		const bytes = Buffer.concat(parts)
		assert.equal(bytes.length, count)
		assert.deepEqual(Buffer.from(got.contentMD5), md5(bytes))
		pieces[i] = createHash('sha256').update(bytes).digest('hex')
		const direct = createHash('sha256')
		for (let at = i * piece; at < i * piece + count;) {
			const block = Math.floor(at / blockSize), from = at - block * blockSize
			const some = content(block).subarray(from, Math.min(blockSize, from + i * piece + count - at))
			direct.update(some)
			at += some.length
		}
		assert.equal(pieces[i], direct.digest('hex'), `piece ${i}`)
	})
	// As the library itself reads it: in parallel, and as one stream.
	assert.equal(sha(await open(READ).getBlockBlobClient(name).downloadToBuffer(0, undefined, { blockSize: 4 << 20, concurrency: 5 })), want)
	const whole = createHash('sha256')
	for await (const part of (await file.download()).readableStreamBody) whole.update(part)
	assert.equal(whole.digest('hex'), want)
	const { committedBlocks = [], uncommittedBlocks = [] } = await file.getBlockList('all')
	assert.deepEqual([committedBlocks.length, uncommittedBlocks.length], [blocks, 0])
	assert.deepEqual(committedBlocks.map(b => b.name), all)

	// A file has a bound, to which all its blocks count.
	const more = Number(MAXFILE) - size + 1
	if (more > 1) {
		await file.stageBlock(blockID(blocks), Buffer.alloc(more), more)
		await refused(413, 'RequestBodyTooLarge', file.commitBlockList([...all, blockID(blocks)]))
		assert.equal((await file.getProperties()).etag, made.etag)
	}
	await file.delete()
}

async function protocol() {
	await uploads()
	await lists()
	await metadata()
	await conditions()
	await sums()
	await rights()
	await others()
}

// uploads are by the means that the library has for them.
async function uploads() {
	const bytes = Buffer.concat([content(0), content(0)])
	const one = writer.getBlockBlobClient('uploads/data')
	await one.uploadData(bytes, { blockSize: 256 << 10, concurrency: 5, maxSingleShotSize: 256 << 10, blobHTTPHeaders: { blobContentMD5: md5(bytes) } })
	const back = await one.download()
	assert.deepEqual(Buffer.from(back.contentMD5), md5(bytes))
	assert.equal(sha(await one.downloadToBuffer()), sha(bytes))
	await one.uploadData(Buffer.from('small'))
	assert.equal((await one.downloadToBuffer()).toString(), 'small')
	await one.upload('', 0)
	assert.equal((await one.getProperties()).contentLength, 0)
	const deleted = await one.delete()
	assert.equal(deleted._response.status, 202)
	await refused(404, 'BlobNotFound', one.delete())
	assert.equal(await one.exists(), false)
	assert.equal((await one.deleteIfExists()).succeeded, false)
}

async function lists() {
	const files = Number(FILES), page = Number(PAGE)
	const names = Array.from({ length: files }, (_, i) => `tiles/${i % 7}/${String(i).padStart(5, '0')} &é.bin`)
	await each(names, n => writer.getBlockBlobClient(n).upload(n, Buffer.byteLength(n)), 8)
	const pages = []
	for await (const p of writer.listBlobsFlat({ prefix: 'tiles/' }).byPage({ maxPageSize: page })) pages.push(p)
	assert.deepEqual(pages.map(p => p.segment.blobItems.length), [page, files - page])
	assert.deepEqual(pages.flatMap(p => p.segment.blobItems.map(b => b.name)).sort(), [...names].sort())
	for (const b of pages[0].segment.blobItems) assert.equal(b.properties.contentLength, Buffer.byteLength(b.name))
	const rest = await writer.listBlobsFlat({ prefix: 'tiles/' }).byPage({ maxPageSize: page, continuationToken: pages[0].continuationToken }).next()
	assert.equal(rest.value.segment.blobItems.length, files - page)

	const folders = []
	for await (const item of open(READ).listBlobsByHierarchy('/', { prefix: 'tiles/' })) folders.push(item.kind + ' ' + item.name)
	assert.deepEqual(folders.sort(), [0, 1, 2, 3, 4, 5, 6].map(i => `prefix tiles/${i}/`))
	const top = []
	for await (const item of writer.listBlobsByHierarchy('/')) top.push(item.kind + ' ' + item.name)
	assert.deepEqual(top, ['prefix tiles/'])
	let third = 0
	for await (const item of writer.listBlobsByHierarchy('/', { prefix: 'tiles/3/' })) third += item.kind === 'blob' ? 1 : 0
	assert.equal(third, names.filter(n => n.startsWith('tiles/3/')).length)
	let none = 0
	for await (const item of writer.listBlobsFlat({ prefix: 'tiles/9' })) none += item ? 1 : 0
	assert.equal(none, 0)
}

async function metadata() {
	const one = writer.getBlockBlobClient('described')
	const first = await one.upload('x', 1, { metadata: { crs: 'EPSG:25832' }, blobHTTPHeaders: { blobContentType: 'text/plain', blobCacheControl: 'no-cache' } })
	let is = await one.getProperties()
	assert.deepEqual([is.metadata, is.contentType, is.cacheControl, is.etag], [{ crs: 'EPSG:25832' }, 'text/plain', 'no-cache', first.etag])
	const second = await one.setMetadata({ crs: 'EPSG:4326', flight: '7' })
	is = await one.getProperties()
	assert.deepEqual([is.metadata, is.etag], [{ crs: 'EPSG:4326', flight: '7' }, second.etag])
	assert.notEqual(first.etag, second.etag)
	await one.setHTTPHeaders({ blobContentType: 'image/png' })
	assert.equal((await one.getProperties()).contentType, 'image/png')
	const listed = []
	for await (const b of writer.listBlobsFlat({ prefix: 'described', includeMetadata: true })) listed.push([b.name, b.metadata, b.properties.contentType])
	assert.deepEqual(listed, [['described', { crs: 'EPSG:4326', flight: '7' }, 'image/png']])
	assert.equal((await one.downloadToBuffer()).toString(), 'x')
	await refused(404, 'BlobNotFound', writer.getBlockBlobClient('none').setMetadata({ crs: 'x' }))
	await one.delete()
}

async function conditions() {
	const one = writer.getBlockBlobClient('conditional')
	const none = { conditions: { ifNoneMatch: '*' } }
	const first = await one.upload('first', 5, none)
	await refused(409, 'BlobAlreadyExists', one.upload('again', 5, none))
	await one.stageBlock(blockID(1), 'block', 5)
	await refused(409, 'BlobAlreadyExists', one.commitBlockList([blockID(1)], none))
	const second = await one.commitBlockList([blockID(1)], { conditions: { ifMatch: first.etag } })
	const stale = { conditions: { ifMatch: first.etag } }
	for (const of of [() => one.upload('late', 4, stale), () => one.commitBlockList([], stale), () => one.setMetadata({ a: 'b' }, stale),
		() => one.delete(stale), () => one.download(0, 1, stale), () => one.getProperties(stale)]) {
		await refused(412, 'ConditionNotMet', of())
	}
	await refused(304, 'ConditionNotMet', one.download(0, undefined, { conditions: { ifNoneMatch: second.etag } }))
	assert.equal((await one.downloadToBuffer(0, undefined, { conditions: { ifMatch: second.etag } })).toString(), 'block')
	await one.delete({ conditions: { ifMatch: second.etag } })
}

async function sums() {
	const one = writer.getBlockBlobClient('summed'), bytes = Buffer.from('123456789')
	const crc = Buffer.from('iJh5CoYUi64=', 'base64'), wrong = Buffer.alloc(8, 1)
	const sent = await one.stageBlock(blockID(1), bytes, 9, { transactionalContentCrc64: crc })
	assert.deepEqual(Buffer.from(sent.xMsContentCrc64), crc)
	await refused(400, 'Crc64Mismatch', one.stageBlock(blockID(1), bytes, 9, { transactionalContentCrc64: wrong }))
	await refused(400, 'Md5Mismatch', one.stageBlock(blockID(1), bytes, 9, { transactionalContentMD5: md5('other') }))
	await one.commitBlockList([blockID(1)])
	await refused(400, 'Md5Mismatch', one.upload(bytes, 9, { blobHTTPHeaders: { blobContentMD5: md5('other') } }))
	await refused(400, 'InvalidBlockList', one.commitBlockList([blockID(7)]))
	const part = await one.download(0, 9, { rangeGetContentCrc64: true })
	assert.deepEqual(Buffer.from(part.contentCrc64 ?? []), crc)
	await refused(416, 'InvalidRange', one.download(9, 1))
	assert.equal((await one.downloadToBuffer()).toString(), '123456789')
	await one.delete()
}

async function rights() {
	const one = writer.getBlockBlobClient('kept')
	await one.upload('kept', 4)
	await one.stageBlock(blockID(1), 'block', 5)
	const reader = open(READ).getBlockBlobClient('kept')
	for (const of of [() => reader.upload('x', 1), () => reader.stageBlock(blockID(1), 'x', 1), () => reader.commitBlockList([blockID(1)]),
		() => reader.setMetadata({ a: 'b' }), () => reader.setHTTPHeaders({ blobContentType: 'text/html' }), () => reader.delete()]) {
		await refused(403, 'AuthorizationPermissionMismatch', of())
	}
	assert.equal((await reader.downloadToBuffer()).toString(), 'kept')
	for (const address of [EXPIRED, READ.replace(/sig=.../, 'sig=AAA')]) {
		const stranger = open(address).getBlockBlobClient('kept')
		for (const of of [() => stranger.upload('x', 1), () => stranger.download(), () => stranger.stageBlock(blockID(1), 'x', 1), () => stranger.delete(),
			() => open(address).listBlobsFlat().next()]) {
			await refused(403, 'AuthenticationFailed', of())
		}
	}
	await one.delete()
}

// others are requests of the library that are for other storage, and are refused by name.
async function others() {
	const one = writer.getBlockBlobClient('kept')
	await one.upload('kept', 4, { metadata: { crs: 'x' } })
	const before = await one.getProperties()
	const comp = await refused(400, 'UnsupportedQueryParameter', one.createSnapshot())
	assert.match(comp.message, /comp/)
	await refused(400, 'UnsupportedQueryParameter', one.setAccessTier('Cool'))
	await refused(400, 'UnsupportedQueryParameter', one.setTags({ a: 'b' }))
	await refused(400, 'UnsupportedQueryParameter', one.getBlobLeaseClient().acquireLease(15))
	await refused(400, 'UnsupportedQueryParameter', writer.getAppendBlobClient('kept').appendBlock('x', 1))
	await refused(400, 'UnsupportedHeader', writer.getAppendBlobClient('kept').create())
	await refused(400, 'UnsupportedHeader', writer.getPageBlobClient('kept').create(512))
	await refused(400, 'UnsupportedHeader', one.syncCopyFromURL(READ))
	await refused(400, 'UnsupportedHeader', one.upload('x', 1, { tier: 'Cool' }))
	await refused(400, 'UnsupportedQueryParameter', writer.delete())
	await refused(409, 'ContainerAlreadyExists', writer.create())
	assert.equal(await writer.exists(), true)
	assert.equal((await one.getProperties()).etag, before.etag)
	assert.equal((await one.downloadToBuffer()).toString(), 'kept')
	await one.delete()
}

const steps = { stage, finish, protocol }
await steps[process.argv[2]]()
console.log('done')
