package filestore_test

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// The words of the protocol in all its versions: what is there besides the eight requests of
// files in blocks is for other services, kinds of blobs and settings of accounts.
var (
	compWords = strings.Fields(`acl appendblock batch block blocklist blobs copy copysnapshot expiry filestatus immutabilityPolicies
		incrementalcopy lease legalhold list metadata page pagelist properties query rename seal setAccessTier snapshot stats tags
		tier undelete userdelegationkey unheard-of`)
	restypeWords = strings.Fields("account container directory file filesystem service share symboliclink unheard-of")
	stateWords   = strings.Fields("snapshot versionid prevsnapshot deletetype startFrom endBefore where copyid")
	headerWords  = strings.Fields(`x-ms-access-tier x-ms-access-tier-change-time x-ms-access-tier-if-modified-since
		x-ms-access-tier-if-unmodified-since x-ms-access-tier-inferred x-ms-account-kind x-ms-acl x-ms-archive-status x-ms-blob-append-offset
		x-ms-blob-cache-control x-ms-blob-committed-block-count x-ms-blob-condition-appendpos x-ms-blob-condition-maxsize
		x-ms-blob-content-disposition x-ms-blob-content-encoding x-ms-blob-content-language x-ms-blob-content-length x-ms-blob-content-md5
		x-ms-blob-content-type x-ms-blob-if-match x-ms-blob-if-modified-since x-ms-blob-if-none-match x-ms-blob-if-unmodified-since
		x-ms-blob-public-access x-ms-blob-sealed x-ms-blob-sequence-number x-ms-blob-type x-ms-client-request-id x-ms-command-name
		x-ms-content-crc64 x-ms-copy-action x-ms-copy-completion-time x-ms-copy-destination-snapshot x-ms-copy-id x-ms-copy-progress
		x-ms-copy-source x-ms-copy-source-authorization x-ms-copy-source-blob-properties x-ms-copy-source-error-code
		x-ms-copy-source-status-code x-ms-copy-source-tag-option x-ms-copy-status x-ms-copy-status-description x-ms-creation-time x-ms-date
		x-ms-default-encryption-scope x-ms-delete-snapshots x-ms-delete-type-permanent x-ms-deleted-container-name
		x-ms-deleted-container-version x-ms-deny-encryption-scope-override x-ms-encryption-algorithm x-ms-encryption-key
		x-ms-encryption-key-sha256 x-ms-encryption-scope x-ms-error-code x-ms-expiry-option x-ms-expiry-time x-ms-file-request-intent
		x-ms-group x-ms-has-immutability-policy x-ms-has-legal-hold x-ms-if-sequence-number-eq x-ms-if-sequence-number-le
		x-ms-if-sequence-number-lt x-ms-if-tags x-ms-immutability-policy-mode x-ms-immutability-policy-until-date
		x-ms-immutable-storage-with-versioning-enabled x-ms-incremental-copy x-ms-is-current-version x-ms-is-hns-enabled x-ms-last-access-time
		x-ms-lease-action x-ms-lease-break-period x-ms-lease-duration x-ms-lease-id x-ms-lease-state x-ms-lease-status x-ms-lease-time
		x-ms-legal-hold x-ms-meta x-ms-meta-crs x-ms-or x-ms-or-policy-id x-ms-owner x-ms-page-write x-ms-permissions
		x-ms-previous-snapshot-url x-ms-properties x-ms-proposed-lease-id x-ms-range x-ms-range-get-content-crc64 x-ms-range-get-content-md5
		x-ms-rehydrate-priority x-ms-rename-source x-ms-request-id x-ms-request-server-encrypted x-ms-requires-sync
		x-ms-return-client-request-id x-ms-seal-blob x-ms-sequence-number-action x-ms-server-encrypted x-ms-sku-name x-ms-smart-access-tier
		x-ms-snapshot x-ms-source-container-name x-ms-source-content-crc64 x-ms-source-content-md5 x-ms-source-encryption-algorithm
		x-ms-source-encryption-key x-ms-source-encryption-key-sha256 x-ms-source-if-match x-ms-source-if-modified-since
		x-ms-source-if-none-match x-ms-source-if-tags x-ms-source-if-unmodified-since x-ms-source-lease-id x-ms-source-range x-ms-structured-body
		x-ms-structured-content-length x-ms-tag-count x-ms-tags x-ms-umask x-ms-undelete-source x-ms-useragent x-ms-version
		x-ms-version-id x-ms-write x-ms-unheard-of`)
)

// spoken are the requests that are understood, each with the headers that are not for all.
var spoken = map[[3]string]string{ // by method, restype and comp
	{"PUT", "", ""}:              "x-ms-blob-content-md5 x-ms-content-crc64 x-ms-meta-crs",
	{"GET", "", ""}:              "x-ms-range x-ms-range-get-content-md5 x-ms-range-get-content-crc64",
	{"HEAD", "", ""}:             "",
	{"DELETE", "", ""}:           "x-ms-delete-snapshots",
	{"PUT", "", "block"}:         "x-ms-content-crc64",
	{"PUT", "", "blocklist"}:     "x-ms-blob-content-md5 x-ms-content-crc64 x-ms-meta-crs",
	{"GET", "", "blocklist"}:     "",
	{"GET", "", "metadata"}:      "",
	{"HEAD", "", "metadata"}:     "",
	{"PUT", "", "metadata"}:      "x-ms-meta-crs",
	{"PUT", "", "properties"}:    "x-ms-blob-content-md5",
	{"GET", "container", "list"}: "",
	{"GET", "container", ""}:     "",
	{"HEAD", "container", ""}:    "",
	{"PUT", "container", ""}:     "",
}

const forAll = `x-ms-blob-cache-control x-ms-blob-content-disposition x-ms-blob-content-encoding x-ms-blob-content-language x-ms-blob-content-type
	x-ms-client-request-id x-ms-command-name x-ms-date x-ms-return-client-request-id x-ms-useragent x-ms-version`

// everything is what is stored: the bytes of each file of the folder, by its path.
func (w *world) everything() map[string]string {
	w.t.Helper()
	found := make(map[string]string)
	err := filepath.WalkDir(w.dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		found[name] = string(content)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return found
}

// speaker is a world with a file that has metadata and a block that is no part of it, and the
// address of the file.
func speaker(t *testing.T) (w *world, address string) {
	t.Helper()
	w = newWorld(t, filestore.Config{Rate: filestore.Unlimited})
	_, address = w.data(w.of("acme", "ann"))
	w.blob("PUT", address, "a", "", "before", "x-ms-meta-crs", "EPSG:25832").want(t, 201)
	w.stage(address, "a", blockID(1), "block")
	return w, address
}

// wantRefused wants a request refused by the name of what is not understood.
func wantRefused(t *testing.T, method, what string, got answer, code, name string) {
	t.Helper()
	if got.status != 400 || got.header.Get("x-ms-error-code") != code {
		t.Errorf("%s %s: %d %v %s, want 400 %s", method, what, got.status, got.header, got.body, code)
	}
	if method != "HEAD" && !strings.Contains(got.body, ">"+strings.ToLower(name)+"<") {
		t.Errorf("%s %s: %s, which does not name %s", method, what, got.body, name)
	}
}

func TestEveryRequestThatIsNotSpokenIsRefusedByItsNameAndChangesNothing(t *testing.T) {
	t.Parallel()
	w, address := speaker(t)
	before := w.everything()
	container, right, _ := strings.Cut(address, "?")
	refused := 0
	for _, method := range []string{"GET", "HEAD", "PUT", "DELETE", "POST", "PATCH", "OPTIONS", "MERGE"} {
		for _, comp := range append([]string{""}, compWords...) {
			for _, restype := range append([]string{""}, restypeWords...) {
				if _, ok := spoken[[3]string{method, restype, comp}]; ok || comp == "" && restype == "" {
					continue
				}
				query := make(url.Values)
				name := "restype"
				if restype != "" {
					query.Set("restype", restype)
				}
				if comp != "" {
					query.Set("comp", comp)
					name = "comp"
				}
				for _, path := range []string{"", "/a"} {
					got := w.request(method, container+path+"?"+right+"&"+query.Encode(), strings.NewReader("after"), since...)
					wantRefused(t, method, path+" "+query.Encode(), got, "UnsupportedQueryParameter", name)
					refused++
				}
				if t.Failed() {
					return
				}
			}
		}
	}
	for _, name := range stateWords {
		for _, method := range []string{"GET", "HEAD", "PUT", "DELETE"} {
			got := w.request(method, container+"/a?"+right+"&"+name+"=x", strings.NewReader("after"), since...)
			wantRefused(t, method, name, got, "UnsupportedQueryParameter", name)
			refused++
		}
	}
	if refused < 4_000 {
		t.Errorf("only %d requests were refused", refused)
	}
	if diff := cmp.Diff(before, w.everything()); diff != "" {
		t.Error(diff)
	}
}

func TestEveryHeaderThatIsNotSpokenIsRefusedByItsNameAndChangesNothing(t *testing.T) {
	t.Parallel()
	w, address := speaker(t)
	before := w.everything()
	container, right, _ := strings.Cut(address, "?")
	for of, more := range spoken {
		understood := slices.Concat(strings.Fields(forAll), strings.Fields(more))
		query, path := "", "/a"
		if of[1] != "" {
			query, path = "&restype="+of[1], ""
		}
		if of[2] != "" {
			query += "&comp=" + of[2]
		}
		for _, name := range headerWords {
			if slices.Contains(understood, name) {
				continue
			}
			for _, spelling := range []string{name, strings.ToUpper(name)} {
				got := w.request(of[0], container+path+"?"+right+query, strings.NewReader("after"), spelling, "PageBlob")
				wantRefused(t, of[0], query+" with "+spelling, got, "UnsupportedHeader", name)
			}
			if t.Failed() {
				return
			}
		}
	}
	if diff := cmp.Diff(before, w.everything()); diff != "" {
		t.Error(diff)
	}
}
