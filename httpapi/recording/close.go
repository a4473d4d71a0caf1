package recording

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/transcript"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// Notes describe a recorded folder, in NotesFile.
type Notes struct {
	Target string    `json:"target"`
	Began  time.Time `json:"began"`
	Ended  time.Time `json:"ended"`
	Steps  int       `json:"steps"` // of the conversations
	// Background reports that operations were answered before they were done.
	Background bool `json:"background"`
	// LeftOut counts the exchanges that no conversation has, by the reason.
	LeftOut map[string]int `json:"leftOut"`
	// NotSeeded are the records that answers had and that the seed has not, and why.
	NotSeeded []string `json:"notSeeded"`
	// Unmatched are names of the deployment that the draft of the vocabulary could not place.
	Unmatched []string `json:"unmatched"`
}

// stepsInFile is how many steps a file has.
const stepsInFile = 200

// Close ends the recording, and writes the folder: all of it or nothing. What comes later passes
// through. It is to be called once, when the server in front of the recorder has stopped.
func (r *Recorder) Close(ctx context.Context) (Notes, error) {
	r.mu.Lock()
	all, passed := r.kept, r.passed
	r.closed, r.kept = true, nil
	r.mu.Unlock()
	n := Notes{
		Target: r.target.String(), Began: r.began.UTC().Truncate(time.Second),
		Ended: r.cfg.Now().UTC().Truncate(time.Second),
	}
	v, unmatched, err := draft(r.cfg.Vocabulary, n.Target, all)
	if err != nil {
		return n, err
	}
	n.Unmatched = append([]string{}, unmatched...)
	s, kept, err := r.session(all, v, &n)
	if err != nil {
		return n, err
	}
	spec, err := newSpecification()
	if err != nil {
		return n, err
	}
	n.Background = slices.ContainsFunc(kept, spec.background)
	if passed > 0 {
		n.LeftOut["traffic beyond the room for it"] = passed
	}
	surveyor := newSurveyor(ownerOf(kept), spec)
	for _, x := range kept {
		surveyor.see(x)
	}
	world, err := surveyor.world(ctx)
	if err != nil {
		return n, err
	}
	n.NotSeeded = append([]string{}, surveyor.dropped...)
	if s.world, err = idsOf(world); err != nil {
		return n, err
	}
	files := make(map[string][]byte)
	s.write(kept, files, &n)
	for name, v := range map[string]any{
		VocabularyFile: v, CallersFile: s.people(kept, surveyor.owner, world),
		NotesFile: n,
	} {
		if files[name], err = encoded(v); err != nil {
			return n, err
		}
	}
	var seed bytes.Buffer
	if err := world.Write(&seed); err != nil {
		return n, err
	}
	files[SeedFile] = seed.Bytes()
	return n, writeFolder(r.cfg.Dir, files)
}

// session puts the traffic into the specification's words, and takes secrets and names out.
func (r *Recorder) session(all []*exchange, v httpapi.Vocabulary, n *Notes) (*scribe, []*exchanged, error) {
	interpreter, err := v.Overhear(n.Target)
	if err != nil {
		return nil, nil, err
	}
	public := make(map[string]bool)
	for _, name := range httpapi.VocabularyNames() {
		public[name.Name] = true
	}
	s := &scribe{
		base: n.Target, secrets: newSecrets(public), callers: make(map[string]string), world: make(map[string]bool),
		sent: make(map[string]bool), names: make(map[string]string), count: make(map[string]int),
	}
	var each []*exchanged
	for _, x := range all {
		one, err := translated(x, n.Target, interpreter)
		if err != nil {
			return nil, nil, err
		}
		each = append(each, one)
		s.secrets.request(x)
		s.secrets.request(one.exchange)
		s.secrets.value("", one.sent, about(one.operation.ID))
		s.secrets.value("", one.answer, about(one.operation.ID))
		if !one.sentJSON {
			s.secrets.text(one.text)
		}
	}
	kept, out := worth(each)
	n.LeftOut = out
	for _, x := range kept {
		x.sent, x.answer = s.secrets.spoken(x.sent), s.secrets.spoken(x.answer)
		x.target = s.secrets.address(x.target)
	}
	return s, kept, nil
}

// about reports whether an operation is about people.
func about(operation string) bool {
	group, _, _ := strings.Cut(operation, ".")
	return slices.Contains([]string{"users", "members", "owners", "invitations"}, group)
}

// write makes the conversations.
func (s *scribe) write(all []*exchanged, files map[string][]byte, n *Notes) {
	for begin := 0; begin < len(all); begin += stepsInFile {
		c := transcript.Conversation{About: fmt.Sprintf("Recorded at %s.\n\n", n.Began.Format(time.RFC3339))}
		for i, x := range all[begin:min(begin+stepsInFile, len(all))] {
			c.Steps = append(c.Steps, s.step(begin+i+1, x))
		}
		n.Steps += len(c.Steps)
		files[filepath.Join(folder, fmt.Sprintf("%04d.txtar", begin/stepsInFile+1))] = []byte(c.String())
	}
}

// defaultAccount is the account of callers whose own the recording does not show.
const defaultAccount = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"

// ownerOf is a caller of the account that was seen.
func ownerOf(all []*exchanged) twinplatform.Principal {
	p := twinplatform.Principal{
		ID: "11111111-1111-4111-8111-111111111111", AccountID: defaultAccount,
		Kind: twinplatform.User,
	}
	for _, x := range all {
		if body, ok := x.answer.(object); ok && x.status < 300 {
			for _, of := range append(records(body, "twins"), body) {
				if account, _ := of["twinAccountId"].(string); account != "" {
					p.AccountID = account
					return p
				}
			}
		}
	}
	return p
}

// caller is an entry of a tokens file.
type caller struct {
	Token     string           `json:"token"`
	Principal principal        `json:"principal"`
	Grants    []platform.Grant `json:"grants,omitempty"`
}

type principal struct {
	ID                string   `json:"id"`
	DisplayName       string   `json:"displayName,omitempty"`
	Email             string   `json:"email,omitempty"`
	AccountID         string   `json:"accountId"`
	Kind              string   `json:"kind"`
	Scopes            []string `json:"scopes"`
	OrganizationAdmin bool     `json:"organizationAdmin"`
}

// people are the callers, as far as they were seen, one who may do everything first. A caller to
// whom something was refused, or not shown, may do what was answered to it; any other everything.
// One that no answer knew is not among them.
func (s *scribe) people(all []*exchanged, owner twinplatform.Principal, world *platform.World) []caller {
	seen := rightsOf(all)
	var out, limited []caller
	for i, credentials := range s.order {
		r := seen[credentials]
		if r == nil || !r.known {
			continue
		}
		c := caller{Token: s.callers[credentials], Principal: principal{
			ID: fmt.Sprintf("11111111-1111-4111-8111-%012d", i+1), AccountID: owner.AccountID,
			Kind:   string(twinplatform.User),
			Scopes: twinplatform.Scopes(), OrganizationAdmin: !r.limited,
		}}
		for _, x := range all {
			if x.caller == credentials && x.status < 300 {
				c.Principal.learn(x)
			}
		}
		if !r.limited {
			out = append(out, c)
			continue
		}
		c.Grants = slices.DeleteFunc(r.grants(), func(g platform.Grant) bool { // the seed has what a member may do
			return slices.ContainsFunc(world.Members,
				func(m platform.Member) bool { return m.TwinID == g.TwinID && m.ID == c.Principal.ID })
		})
		limited = append(limited, c)
	}
	if len(out) == 0 { // who has what the seed has
		out = append(out, caller{Token: "owner", Principal: principal{
			ID: owner.ID, AccountID: owner.AccountID, Kind: string(owner.Kind), Scopes: twinplatform.Scopes(),
			OrganizationAdmin: true,
		}})
	}
	return append(out, limited...)
}

// learn takes from an answer what it shows of the caller.
func (p *principal) learn(x *exchanged) {
	switch {
	case x.operation.ID == "users.me":
		for _, me := range records(x.answer, "user") {
			p.ID, _ = me["id"].(string)
			p.DisplayName, _ = me["displayName"].(string)
			p.Email, _ = me["email"].(string)
		}
	case strings.HasPrefix(x.operation.ID, "webhooks."):
		p.Kind = string(twinplatform.Service)
	}
}

// idsOf are the ids in a world.
func idsOf(w *platform.World) (map[string]bool, error) {
	raw, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	s := scribe{sent: make(map[string]bool)}
	s.noted(v)
	return s.sent, nil
}

func encoded(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// writeFolder writes files into a folder, which appears with all of them.
func writeFolder(dir string, files map[string][]byte) (err error) {
	if err := mustBeFree(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".part-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(part))
		}
	}()
	if err := os.Mkdir(filepath.Join(part, folder), 0o700); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(part, name), text, 0o600); err != nil {
			return err
		}
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err // it is no longer empty
	}
	return os.Rename(part, dir)
}

// LeftOutLines describe what is not in the conversations and the seed, a line for each
// reason.
func (n Notes) LeftOutLines() (lines []string) {
	for _, why := range slices.Sorted(maps.Keys(n.LeftOut)) {
		lines = append(lines, fmt.Sprintf("left out: %s: %d", why, n.LeftOut[why]))
	}
	if len(n.NotSeeded) > 0 {
		lines = append(lines, fmt.Sprintf("not in the seed: %d records, see %s", len(n.NotSeeded), NotesFile))
	}
	if len(n.Unmatched) > 0 {
		lines = append(lines, fmt.Sprintf("names that the vocabulary has not: %d, see %s", len(n.Unmatched), NotesFile))
	}
	return lines
}

// ReadNotes reads those of a recorded folder.
func ReadNotes(dir string) (n Notes, err error) {
	raw, err := os.ReadFile(filepath.Join(dir, NotesFile))
	if err == nil {
		err = json.Unmarshal(raw, &n)
	}
	return n, err
}
