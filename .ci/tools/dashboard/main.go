// Command dashboard draws the panels of a dashboard of Grafana as one SVG, from what a Prometheus
// has of a server to which it sends requests meanwhile; see .ci/dashboard.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// rateInterval stands for Grafana's variable of that name.
const rateInterval = "20s"

type dashboard struct {
	Title  string
	Panels []panel
}

type panel struct {
	Title   string
	GridPos struct{ X, Y, W, H int }

	FieldConfig struct{ Defaults struct{ Unit string } }
	Targets     []struct{ Expr, LegendFormat string }
}

// series is a line of a panel.
type series struct {
	name   string
	points []point
}

type point struct{ at, value float64 }

func main() {
	apis := flag.String("api", "", "the `addresses` of the servers, with commas between them")
	prometheus := flag.String("prometheus", "", "the `address` of the Prometheus that scrapes it")
	during := flag.Duration("for", 4*time.Minute, "how long requests are sent")
	out := flag.String("o", "", "the `file` to draw")
	flag.Parse()
	var d dashboard
	text, err := os.ReadFile(flag.Arg(0))
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		log.Fatal(err)
	}
	began := time.Now()
	var sending sync.WaitGroup
	for api := range strings.SplitSeq(*apis, ",") {
		sending.Go(func() { send(api, *during) })
	}
	sending.Wait()
	lines := make([][]series, len(d.Panels))
	for i, p := range d.Panels {
		for _, t := range p.Targets {
			found, err := query(*prometheus, t.Expr, t.LegendFormat, began, time.Now())
			if err != nil {
				log.Fatalf("%s: %v", p.Title, err)
			}
			lines[i] = append(lines[i], found...)
		}
		if len(lines[i]) == 0 {
			log.Printf("%s: there is nothing to draw", p.Title)
		}
	}
	if err := os.WriteFile(*out, draw(d, lines), 0o644); err != nil {
		log.Fatal(err)
	}
}

// send sends requests such as clients do: reads, some writes, few mistakes, more and fewer
// alternately.
func send(api string, during time.Duration) {
	const plan = "/schedules/mp-j30-a2-nr1"
	end := time.Now().Add(during)
	for i := 0; time.Now().Before(end); i++ {
		method, path, body := http.MethodGet, plan+"/tasks/task-"+strconv.Itoa(2+i%60), ""
		switch {
		case i%10 == 0:
			method, path, body = http.MethodPost, plan+"/tasks", fmt.Sprintf(`{"name": "Dig %d", "type": "Work"}`, i)
		case i%10 == 3:
			path = plan + "/tasks?$top=50"
		case i%37 == 5:
			path = "/twins/00000000-0000-4000-8000-000000000000"
		case i%10 == 6:
			path = "/twins?$top=10"
		}
		req, err := http.NewRequest(method, api+path, strings.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer demo")
		req.Header.Set("Content-Type", "application/json")
		if res, err := http.DefaultClient.Do(req); err == nil {
			_ = res.Body.Close()
		}
		// The rate limit is 50 a second: now and then it is passed.
		pause := 25 * time.Millisecond
		if (i/1500)%3 == 2 {
			pause = 12 * time.Millisecond
		}
		time.Sleep(pause)
	}
}

// query is what a Prometheus answers to an expression over a time.
func query(prometheus, expr, legend string, from, to time.Time) (out []series, err error) {
	q := url.Values{
		"query": {strings.NewReplacer("$__rate_interval", rateInterval, "$node", ".*").Replace(expr)},
		"start": {strconv.FormatInt(from.Unix(), 10)}, "end": {strconv.FormatInt(to.Unix(), 10)},
		"step": {strconv.Itoa(int(to.Sub(from).Seconds()/60) + 1)},
	}
	res, err := http.Get(prometheus + "/api/v1/query_range?" + q.Encode())
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var answer struct {
		Error string
		Data  struct {
			Result []struct {
				Metric map[string]string
				Values [][2]any
			}
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, fmt.Errorf("%s", answer.Error)
	}
	for _, r := range answer.Data.Result {
		s := series{name: legend}
		for name, value := range r.Metric {
			s.name = strings.ReplaceAll(s.name, "{{"+name+"}}", value)
		}
		for _, v := range r.Values {
			text, _ := v[1].(string)
			at, _ := v[0].(float64)
			if n, err := strconv.ParseFloat(text, 64); err == nil && n == n {
				s.points = append(s.points, point{at - float64(from.Unix()), n})
			}
		}
		out = append(out, s)
	}
	return out, nil
}
