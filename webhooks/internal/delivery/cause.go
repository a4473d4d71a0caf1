package delivery

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/webhooks/internal/egress"
)

// The causes for which attempts fail, as the owner of the webhook is shown them.
const (
	causeAddress      = "AddressNotAllowed"
	causeName         = "NameNotFound"
	causeRefused      = "ConnectionRefused"
	causeUnreachable  = "Unreachable"
	causeTLS          = "TLSFailed"
	causeTimedOut     = "TimedOut"
	causeDisconnected = "Disconnected"
	causeStatus       = "StatusNotAccepted"
	causeOther        = "Other"
)

// causeOf classifies why no answer came. The error itself may name addresses, and is
// for the log alone.
func causeOf(err error) string {
	var (
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
		alert       tls.AlertError
		waiting     net.Error
	)
	switch {
	case errors.Is(err, egress.ErrBlocked):
		return causeAddress
	case errors.As(err, &name) && !name.IsTimeout:
		return causeName
	case errors.As(err, &certificate), errors.As(err, &record), errors.As(err, &alert):
		return causeTLS
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded),
		errors.As(err, &waiting) && waiting.Timeout():
		return causeTimedOut
	case errors.Is(err, syscall.ECONNREFUSED):
		return causeRefused
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return causeUnreachable
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET),
		errors.Is(err, syscall.EPIPE):
		return causeDisconnected
	}
	return causeOther
}

// maxExcerpt is how much of an answer is kept, in bytes.
const maxExcerpt = 1 << 10

// excerpt is a text of the beginning of an answer, whatever bytes it is made of.
func excerpt(b []byte) string {
	text := strings.ToValidUTF8(string(b), string(utf8.RuneError))
	for len(text) > maxExcerpt {
		_, last := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-last]
	}
	return text
}
