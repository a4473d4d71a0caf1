//go:build generated

// Command gardener does with a client that is generated under the words of a deployment what its
// programs do: it signs in, makes a garden with a crew, uploads a file in blocks, saves a view,
// imports a plan, follows the operation, and receives an event. It compares each answer with
// what it has sent.
//
//	gardener place.json
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"reflect"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/clients/garden"
	"github.com/seed-933f9a09/twinplatform/internal/clients/inbox"
	"github.com/seed-933f9a09/twinplatform/internal/clients/signin"
)

// place is where the program works.
type place struct {
	signin.Client

	URL         string `json:"url"`
	Person      secret `json:"person"`
	Application secret `json:"application"`
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
}

type secret struct {
	ID     string `json:"id"`
	Secret string `json:"secret"`
}

func main() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	if err := run(ctx, os.Args[1]); err != nil {
		log.Fatal(err)
	}
	fmt.Println("done")
}

// program is what the legs share.
type program struct {
	place

	person, application *garden.ClientWithResponses
	events              *inbox.Inbox
	gardenID            string
}

func run(ctx context.Context, file string) error {
	p := new(program)
	raw, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(raw, &p.place)
	}
	if err != nil {
		return err
	}
	if p.events, err = inbox.Open(ctx, p.Certificate, p.Key); err != nil {
		return err
	}
	defer func() { _ = p.events.Close() }()
	for _, leg := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"signing in", p.signIn},
		{"a garden with a crew", p.garden},
		{"a saved view", p.view},
		{"a file in blocks", p.blocks},
		{"a plan that is imported", p.plan},
		{"an event", p.event},
	} {
		if err := leg.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", leg.name, err)
		}
	}
	return nil
}

// client is one for the bearer of a token.
func (p *program) client(token string) (*garden.ClientWithResponses, error) {
	return garden.NewClientWithResponses(p.URL,
		garden.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+token)
			return nil
		}))
}

func (p *program) signIn(ctx context.Context) error {
	token, err := p.Client.Person(ctx, p.Person.ID, p.Person.Secret)
	if err != nil {
		return err
	}
	if p.person, err = p.client(token); err != nil {
		return err
	}
	if token, err = p.Client.Application(ctx, p.Application.ID, p.Application.Secret); err != nil {
		return err
	}
	if p.application, err = p.client(token); err != nil {
		return err
	}
	me, err := got(p.person.UsersMeWithResponse(ctx, nil))
	if err != nil {
		return err
	}
	it, err := got(p.application.UsersMeWithResponse(ctx, nil))
	if err != nil {
		return err
	}
	if u := me.JSON200.User; u.Email == nil || *u.Email != p.Person.ID || u.MemberType != garden.User {
		return fmt.Errorf("%s is shown as %s", p.Person.ID, me.Body)
	}
	if it.JSON200.User.ID != p.Application.ID || it.JSON200.User.MemberType != garden.Service {
		return fmt.Errorf("%s is shown as %s", p.Application.ID, it.Body)
	}
	return nil
}

// response is what all answers of a generated client are.
type response interface {
	Status() string
	StatusCode() int
	GetBody() []byte
}

// got fails for an answer that did not come, or refuses.
func got[R response](r R, err error) (R, error) {
	if err == nil && r.StatusCode() >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s %s", r.Status(), r.GetBody())
	}
	return r, err
}

// shows wants all members of what was sent in what came, with their values.
func shows(sent, came any) error {
	var want, got map[string]any
	if err := errors.Join(decoded(sent, &want), decoded(came, &got)); err != nil {
		return err
	}
	for name, value := range want {
		if !reflect.DeepEqual(got[name], value) {
			return fmt.Errorf("%s is %v, and was sent as %v", name, got[name], value)
		}
	}
	return nil
}

// decoded is a value as JSON has it.
func decoded(v any, into *map[string]any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return json.NewDecoder(bytes.NewReader(raw)).Decode(into)
}
