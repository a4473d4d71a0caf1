package filestore

import (
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/pace"
)

// BlockTime is how long blocks are kept that are no file yet, from the last one of a file on.
const BlockTime = 7 * 24 * time.Hour

// Bounds of blocks.
const (
	maxBlockID   = 64 // bytes
	maxBlocks    = 50_000
	maxBlockList = 8 << 20 // bytes of XML
)

// block is a part of a file. Its ID is in base64, as clients send it.
type block struct {
	ID   string `json:"id"`
	Size int64  `json:"size"`
}

// blockName is where a block is that is no part of the file yet. Blocks are in a folder for
// each length of their ids, so that those of others are seen at once.
func blockName(file, id string) (string, error) {
	raw, err := base64.StdEncoding.Strict().DecodeString(id)
	if err != nil || len(raw) == 0 || len(raw) > maxBlockID {
		return "", errBlockID
	}
	return path.Join(attachedFolder(file), strconv.Itoa(len(id)), base64.RawURLEncoding.EncodeToString(raw)), nil
}

// blockIn is the block that an entry is of.
func blockIn(e Entry) (b block, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(path.Base(e.Name))
	return block{base64.StdEncoding.EncodeToString(raw), e.Size}, err == nil
}

// putBlock keeps a block until there is a list that has it (Put Block).
func (c *blobCall) putBlock() error {
	if c.s.shelf == nil {
		return errNotHere
	}
	// A + that was sent as it is has become a blank.
	id := strings.ReplaceAll(c.params.Get("blockid"), " ", "+")
	name, err := blockName(c.name, id)
	if err != nil {
		return err
	}
	sums, err := newSums(c.r.Header, false)
	if err != nil {
		return err
	}
	attached := blocksPrefix + c.g.containerID
	for e, err := range c.s.shelf.List(c.r.Context(), attached,
		Listing{Prefix: attachedFolder(c.name) + "/", Level: true}) {
		if err != nil {
			return err
		}
		if e.Name != path.Dir(name)+"/" {
			return errBlockLength
		}
	}
	err = c.s.write(c.r, &writing{
		g: c.g, accountID: c.accountID, containerID: attached, name: name, length: c.r.ContentLength,
		fill: func(d Draft, room *reservation) error {
			if err := c.s.receive(c.w, c.r, io.TeeReader(c.r.Body, sums), d, room); err != nil {
				return err
			}
			return sums.check()
		},
	})
	if err != nil {
		return err
	}
	sums.writeHeaders(c.w.Header())
	c.w.WriteHeader(http.StatusCreated)
	return nil
}

// staged yields the blocks that are no part of the file yet.
func (c *blobCall) staged(ctx context.Context) iter.Seq2[block, error] {
	return func(yield func(block, error) bool) {
		for e, err := range c.s.shelf.List(ctx, blocksPrefix+c.g.containerID,
			Listing{Prefix: attachedFolder(c.name) + "/"}) {
			b, ok := blockIn(e)
			if (ok || err != nil) && !yield(b, err) {
				return
			}
		}
	}
}

// forgetBlocks removes blocks that will be no part of a file: there is another list, or a
// whole file.
func (s *Store) forgetBlocks(ctx context.Context, containerID, accountID, name string) {
	if s.shelf != nil {
		s.warnOfRest(ctx, s.dropAttached(ctx, blocksPrefix+containerID, accountID, attachedFolder(name), ""))
	}
}

// sentList is a list of blocks as a client sends it, each named by where it is from.
type sentList struct {
	XMLName xml.Name `xml:"BlockList"`
	Blocks  []struct {
		XMLName xml.Name // Latest, Uncommitted or Committed
		ID      string   `xml:",chardata"`
	} `xml:",any"`
}

// readBlockList reads the list that a client sends, at its pace and to its end.
func (c *blobCall) readBlockList(sums *sums) (*sentList, error) {
	in := &sending{pace.Reader{
		From: io.TeeReader(c.r.Body, sums), Control: http.NewResponseController(c.w),
		Pace: c.s.pace(),
	}}
	bounded := &io.LimitedReader{R: in, N: maxBlockList}
	body, list := xml.NewDecoder(bounded), new(sentList)
	err := body.Decode(list)
	if err == nil {
		if err = nothingMore(body); err == nil && bounded.N > 0 {
			return list, list.check(c.name)
		}
	}
	_, own := errors.AsType[*twinplatform.Error](err)
	switch {
	case bounded.N == 0:
		return nil, errManyBlocks
	case own || errors.Is(err, os.ErrDeadlineExceeded):
		return nil, err
	}
	return nil, errXML
}

// nothingMore reads what is behind a document, which is nothing but blanks.
func nothingMore(body *xml.Decoder) error {
	for {
		switch token, err := body.Token(); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		default:
			if _, blank := token.(xml.CharData); !blank {
				return errXML
			}
		}
	}
}

func (l *sentList) check(file string) error {
	if len(l.Blocks) > maxBlocks {
		return errManyBlocks
	}
	for i := range l.Blocks {
		b := &l.Blocks[i]
		if from := b.XMLName.Local; from != "Latest" && from != "Uncommitted" && from != "Committed" {
			return errXML
		}
		b.ID = strings.TrimSpace(b.ID)
		if _, err := blockName(file, b.ID); err != nil {
			return err
		}
	}
	return nil
}

// piece is where the bytes of a block are: in a separate file, or in that which the file
// was before.
type piece struct {
	block

	staged bool
	offset int64
}

// assembly is a file that is put together of blocks.
type assembly struct {
	c       *blobCall
	sums    *sums
	pieces  []piece
	total   int64
	goes    int64 // bytes of the blocks that go with the list
	before  *blob // the file whose blocks are used again; nil: none is
	content io.ReadSeeker
	kept    *attributes
}

// putBlockList makes a file of blocks (Put Block List). Readers have the old file or the new
// one.
func (c *blobCall) putBlockList() error {
	if c.s.shelf == nil {
		return errNotHere
	}
	sums, err := newSums(c.r.Header, false)
	if err != nil {
		return err
	}
	if err := c.allow(c.r.Context()); err != nil {
		return err
	}
	kept, err := c.sentAttributes()
	if err != nil {
		return err
	}
	a := &assembly{c: c, sums: sums, kept: kept}
	var written *blob
	err = c.s.write(c.r, &writing{
		g: c.g, accountID: c.accountID, containerID: c.g.containerID, name: c.name,
		fill:  a.fill,
		ready: a.ready,
		done: func(ctx context.Context, _ Draft) (err error) {
			c.s.forgetBlocks(ctx, c.g.containerID, c.accountID, c.name)
			written, err = c.state(ctx)
			return err
		},
	})
	if err != nil {
		return err
	}
	if written != nil {
		c.writeHeaders(written)
	}
	sums.writeHeaders(c.w.Header())
	c.w.WriteHeader(http.StatusCreated)
	return nil
}

// fill copies the blocks of the list into the file.
func (a *assembly) fill(d Draft, room *reservation) error {
	ctx := a.c.r.Context()
	list, err := a.c.readBlockList(a.sums)
	if err != nil {
		return err
	}
	if err := a.sums.check(); err != nil {
		return err
	}
	content, before, err := a.c.open(ctx)
	switch {
	case err == nil:
		defer func() { _ = content.Close() }()
		a.content = content
	case isNoFile(err):
		before = &blob{}
	default:
		return err
	}
	if err := a.find(ctx, list, before); err != nil {
		return err
	}
	room.goes = a.goes
	if err := a.c.s.reserve(ctx, room, a.total); err != nil {
		return err
	}
	for _, p := range a.pieces {
		if err := a.copy(ctx, p, d, room); err != nil {
			return err
		}
	}
	return unavailable(d.Close())
}

// find finds the blocks of a list.
func (a *assembly) find(ctx context.Context, list *sentList, before *blob) error {
	staged, committed := make(map[string]piece), make(map[string]piece)
	for b, err := range a.c.staged(ctx) {
		if err != nil {
			return err
		}
		staged[b.ID] = piece{block: b, staged: true}
		a.goes += b.Size
	}
	var offset int64
	for _, b := range before.Blocks {
		if _, twice := committed[b.ID]; !twice {
			committed[b.ID] = piece{block: b, offset: offset}
		}
		offset += b.Size
	}
	for _, one := range list.Blocks {
		p, ok := staged[one.ID]
		if from := one.XMLName.Local; from == "Committed" || from == "Latest" && !ok {
			if p, ok = committed[one.ID]; ok {
				a.before = before
			}
		}
		if !ok {
			return errNoBlock
		}
		a.pieces = append(a.pieces, p)
		a.total += p.Size
	}
	return nil
}

// copy copies a block.
func (a *assembly) copy(ctx context.Context, p piece, d Draft, room *reservation) error {
	from := io.Reader(a.content)
	if p.staged {
		name, err := blockName(a.c.name, p.ID)
		if err != nil {
			return err
		}
		file, err := a.c.s.backend.Open(ctx, blocksPrefix+a.c.g.containerID, name)
		if isNoFile(err) {
			return errNoBlock
		}
		if err != nil {
			return err
		}
		defer func() { _ = file.Content.Close() }()
		from = file.Content
	} else if _, err := a.content.Seek(p.offset, io.SeekStart); err != nil {
		return unavailable(err)
	}
	before := room.bytes
	if err := room.copy(d, reading{ctx, io.LimitReader(from, p.Size)}); err != nil {
		return err
	}
	if room.bytes-before != p.Size {
		return errNoBlock // another was sent meanwhile
	}
	return nil
}

// reading reads from the backend for as long as someone waits.
type reading struct {
	ctx  context.Context
	from io.Reader
}

func (r reading) Read(b []byte) (n int, err error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if n, err = r.from.Read(b); err != nil && !errors.Is(err, io.EOF) {
		err = unavailable(err)
	}
	return n, err
}

// ready keeps the list with the file that is about to appear.
func (a *assembly) ready(ctx context.Context, d Draft) error {
	if err := a.c.allow(ctx); err != nil {
		return err
	}
	if a.before != nil {
		now, err := a.c.state(ctx)
		if err != nil {
			return err
		}
		if now == nil || now.tag != a.before.tag {
			return errCondition
		}
	}
	for _, p := range a.pieces {
		a.kept.Blocks = append(a.kept.Blocks, p.block)
	}
	return a.c.keep(ctx, d, a.kept, a.goes)
}

// blockList lists the blocks of a file, and those that are none yet (Get Block List).
func (c *blobCall) blockList() error {
	if c.s.shelf == nil {
		return errNotHere
	}
	kind := strings.ToLower(c.params.Get("blocklisttype"))
	if kind == "" {
		kind = "committed"
	}
	if kind != "committed" && kind != "uncommitted" && kind != "all" {
		return unsupportedParam("blocklisttype")
	}
	type one struct {
		Name string
		Size int64
	}
	var answer struct {
		XMLName     xml.Name `xml:"BlockList"`
		Committed   []one    `xml:"CommittedBlocks>Block"`
		Uncommitted []one    `xml:"UncommittedBlocks>Block"`
	}
	b, err := c.state(c.r.Context())
	if err != nil {
		return err
	}
	there := b != nil
	if there {
		if err := conditionsOf(c.r.Header).reading(b); err != nil {
			return err
		}
		c.writeHeaders(b)
		c.w.Header().Set("X-Ms-Blob-Content-Length", fmt.Sprint(b.size))
		for _, b := range b.Blocks {
			if kind != "uncommitted" {
				answer.Committed = append(answer.Committed, one{b.ID, b.Size})
			}
		}
	}
	for b, err := range c.staged(c.r.Context()) {
		if err != nil {
			return err
		}
		if there = true; kind != "committed" {
			answer.Uncommitted = append(answer.Uncommitted, one{b.ID, b.Size})
		}
	}
	if !there {
		return errNoFile.Err()
	}
	return c.answer(answer)
}

// sweepBlocks removes blocks that became no file in their time.
func (s *Store) sweepBlocks(ctx context.Context, r Records) error {
	if s.shelf == nil {
		return nil
	}
	for id, err := range s.backend.Containers(ctx) {
		if err != nil {
			return err
		}
		containerID, ok := strings.CutPrefix(id, blocksPrefix)
		if !ok {
			continue
		}
		accountID, there, err := r.ContainerAccount(ctx, containerID)
		if err != nil {
			return err
		}
		if !there {
			continue
		}
		if err := s.sweepBlocksOf(ctx, containerID, accountID); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) sweepBlocksOf(ctx context.Context, containerID, accountID string) error {
	last := make(map[string]time.Time) // by folder
	for e, err := range s.shelf.List(ctx, blocksPrefix+containerID, Listing{}) {
		if err != nil {
			return err
		}
		if folder := path.Dir(path.Dir(e.Name)); e.Modified.After(last[folder]) {
			last[folder] = e.Modified
		}
	}
	for folder, sent := range last {
		if s.wall.Now().Sub(sent) > BlockTime {
			if err := s.dropAttached(ctx, blocksPrefix+containerID, accountID, folder, ""); err != nil {
				return err
			}
		}
	}
	return nil
}
