package clients_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/internal/clients/journey"
)

// words is the vocabulary that the program was written for.
const words = "../../httpapi/testdata/garden.json"

// inbox receives deliveries.
type inbox chan journey.Delivery

// ServeHTTP implements http.Handler.
func (i inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	i <- journey.Delivery{Signature: r.Header.Get("Signature"), Body: body}
}

func (i inbox) next(ctx context.Context) (journey.Delivery, error) {
	select {
	case d := <-i:
		return d, nil
	case <-ctx.Done():
		return journey.Delivery{}, errors.New("no event came")
	}
}

// signedIn is a token that is there already.
func signedIn(token string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return token, nil }
}

func TestProgramOfADeploymentWorksWithTheHandlerInItsWords(t *testing.T) {
	t.Parallel()
	f, err := os.Open(words)
	if err != nil {
		t.Fatal(err)
	}
	v, err := httpapi.ParseVocabulary(f)
	if errClose := f.Close(); err != nil || errClose != nil {
		t.Fatal(err, errClose)
	}
	tw := httpapitest.New(t, httpapitest.WithVocabulary(v))
	events := make(inbox, 16)
	tw.Webhooks.Handle(events)
	application := tw.Admin()
	application.ID, application.Kind, application.Email = "44444444-4444-4444-8444-444444444444", twinplatform.Service, ""
	err = journey.Run(t.Context(), journey.Deployment{
		URL: tw.Listen(), Person: signedIn(tw.TokenOf(tw.Admin())), Application: signedIn(tw.TokenOf(application)), Callback: httpapitest.CallbackURL,
		Receive: func(ctx context.Context) (journey.Delivery, error) {
			tw.Webhooks.Drain(ctx)
			return events.next(ctx)
		},
	})
	if err != nil {
		t.Error(err)
	}
}
