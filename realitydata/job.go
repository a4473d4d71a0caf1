package realitydata

import (
	"context"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// JobService is a part of the area that does jobs.
type JobService string

// The services. Each does jobs of its own types.
const (
	// ConversionJobs make reality data of others: ConversionJob.
	ConversionJobs JobService = "conversion"
	// AnalysisJobs find out what is in them: ChecksumJob and TileListingJob.
	AnalysisJobs JobService = "analysis"
)

// JobType is what a job does with its inputs.
type JobType string

// The types of jobs.
const (
	// ConversionJob copies the files of its inputs. The platform converts no formats, so that
	// the outputs are of the type of the inputs.
	ConversionJob JobType = "Conversion"
	// ChecksumJob writes, for each file of its inputs, a file with its SHA-256 sum, which is
	// called as the file with .sha256 behind it and has the form that sha256sum reads.
	ChecksumJob JobType = "Checksum"
	// TileListingJob writes, for each of its inputs, the names and sizes of its files: a JSON
	// file called tiles.json.
	TileListingJob JobType = "TileListing"
)

// jobTypes are what each service does.
var jobTypes = map[JobService][]JobType{ConversionJobs: {ConversionJob}, AnalysisJobs: {ChecksumJob, TileListingJob}}

// resultType is the type of what analyses write.
const resultType = Unstructured

// JobState is how far a job is.
type JobState string

// The states. A job is unsubmitted until its state is set to active, and ends in one of the
// others.
const (
	JobUnsubmitted JobState = "unsubmitted"
	JobActive      JobState = "active"
	JobSucceeded   JobState = "success"
	JobFailed      JobState = "failed"
	JobCancelled   JobState = "cancelled"
)

var (
	jobStates      = []JobState{JobUnsubmitted, JobActive, JobSucceeded, JobFailed, JobCancelled}
	jobStatesToSet = []JobState{JobUnsubmitted, JobActive, JobCancelled}
)

// Limits of jobs.
const (
	MaxJobs       = 1_000 // of one account; those that have ended go after Env.Retain
	MaxJobInputs  = 10
	MaxJobEngines = 1_000
)

// Job is work on reality data that is asked for once and done by the platform.
type Job struct {
	CostEstimation       JobCost                 `json:"costEstimation"`
	CreatedDateTime      twinplatform.DateTime   `json:"createdDateTime"` // in UTC
	DataCenter           string                  `json:"dataCenter"`      // that of the twin
	Email                twinplatform.NullString `json:"email"`           // of who made the job; null when it has none
	ExecutionInformation JobExecution            `json:"executionInformation"`
	// FailureDescription is why a job has failed; null for others.
	FailureDescription twinplatform.NullString `json:"failureDescription"`
	ID                 string                  `json:"id"` // a GUID
	// Inputs are the reality data that the job reads.
	Inputs               []JobData             `json:"inputs"`
	LastModifiedDateTime twinplatform.DateTime `json:"lastModifiedDateTime"` // in UTC
	Name                 string                `json:"name"`                 // 1 to MaxName characters
	Options              JobOptions            `json:"options"`
	// Outputs are the reality data that the job makes. They are there once the job is active,
	// and gone when it fails or is cancelled.
	Outputs []JobData               `json:"outputs"`
	OwnerID twinplatform.NullString `json:"ownerId"` // who made the job; null for the system
	State   JobState                `json:"state"`
	TwinID  string                  `json:"twinId"` // that the outputs are made for
	Type    JobType                 `json:"type"`

	// Service is the part of the area that does the job. It is not on the wire.
	Service JobService `json:"-"`
	// AccountID is the account of the twin. It is not on the wire.
	AccountID string `json:"-"`

	caller string // who submitted the job, as JSON; empty for the system
	bytes  int64  // of the files that are done with
	total  int64  // bytes of the inputs when the job was submitted
}

// JobData are reality data that a job reads or makes.
type JobData struct {
	ID   twinplatform.NullString `json:"id"` // null until there are such data
	Type string                  `json:"type"`
}

// JobCost is what a job is estimated to cost.
type JobCost struct {
	EstimatedCost float64 `json:"estimatedCost"` // 0: jobs of this platform cost nothing
	GigaPixels    float64 `json:"gigaPixels"`    // as it was given; 0 otherwise
	MegaPoints    float64 `json:"megaPoints"`    // as it was given; 0 otherwise
}

// JobCostParameters are what the cost of a job is estimated by.
type JobCostParameters struct {
	GigaPixels float64 `json:"gigaPixels"` // 0 or more
	MegaPoints float64 `json:"megaPoints"` // 0 or more
}

// JobExecution is when a job was done.
type JobExecution struct {
	EndedDateTime      *twinplatform.DateTime `json:"endedDateTime"`      // null until it ends
	EstimatedUnits     float64                `json:"estimatedUnits"`     // 0: jobs of this platform cost nothing
	StartedDateTime    *twinplatform.DateTime `json:"startedDateTime"`    // null until it is begun
	SubmissionDateTime *twinplatform.DateTime `json:"submissionDateTime"` // null until it is submitted
}

// JobOptions say how a job is done.
type JobOptions struct {
	// Merge asks for one file of all inputs, which this platform makes of none: it is false.
	Merge bool `json:"merge"`
	// ProcessingEngines is how many machines may work at once: 0 to MaxJobEngines. It is kept
	// and nothing follows from it.
	ProcessingEngines int32 `json:"processingEngines"`
}

// JobProgress is how far a job is.
type JobProgress struct {
	Percentage int32    `json:"percentage"` // 0 to 100
	State      JobState `json:"state"`
	Step       string   `json:"step"` // what is done, or was done last: the type of the job
}

// ended reports whether nothing more comes of a job.
func (j *Job) ended() bool {
	return j.State == JobSucceeded || j.State == JobFailed || j.State == JobCancelled
}

func (j *Job) progress() JobProgress {
	p := JobProgress{State: j.State, Step: string(j.Type)}
	switch {
	case j.State == JobSucceeded:
		p.Percentage = 100
	case j.total > 0:
		p.Percentage = int32(min(99, 100*j.bytes/j.total))
	}
	return p
}

// hiddenJob is what is kept of a job in addition to its wire form.
type hiddenJob struct {
	AccountID *string     `json:"accountId"`
	Bytes     *int64      `json:"bytes"`
	Caller    *string     `json:"caller"`
	Service   *JobService `json:"service"`
	Total     *int64      `json:"total"`
}

var jobRecords = records.Collection[Job]{
	Name: "jobs", Untracked: true,
	ID:     func(j *Job) string { return records.Join(string(j.Service), j.ID) },
	Hidden: func(j *Job) any { return &hiddenJob{&j.AccountID, &j.bytes, &j.caller, &j.Service, &j.total} },
	Ended: func(j *Job) (at time.Time) {
		if j.ended() && j.ExecutionInformation.EndedDateTime != nil {
			at = j.ExecutionInformation.EndedDateTime.Time
		}
		return at
	},
}

var jobMissing = problem.NotFound("JobNotFound", "jobId", "job")

// NewJob asks for a job.
type NewJob struct {
	// Type is required. Those that the service does not do are refused.
	Type JobType `json:"type"`
	// Name is required and has at most MaxName characters.
	Name string `json:"name"`
	// TwinID is required: the twin that the outputs are made for.
	TwinID string `json:"twinId"`
	// Inputs are 1 to MaxJobInputs reality data, of one type for a ConversionJob.
	Inputs []JobInput `json:"inputs"`
	// Outputs are the types to make: for a ConversionJob the type of the inputs, once. An
	// analysis makes one of the type Unstructured, and may leave it out.
	Outputs                  []string           `json:"outputs"`
	Options                  JobOptions         `json:"options"`
	CostEstimationParameters *JobCostParameters `json:"costEstimationParameters"`
}

// JobInput names reality data that a job is to read.
type JobInput struct {
	ID string `json:"id"` // required
}

// JobPatch changes a job: what is left out stays. All but the state is of a job that is
// unsubmitted.
type JobPatch struct {
	// State is active to submit the job, or cancelled to cancel it. A job that is unsubmitted
	// stays so with unsubmitted.
	State twinplatform.Optional[JobState] `json:"state,omitzero"`
	Name  twinplatform.Optional[string]   `json:"name,omitzero"`
	// the whole of them; null for none
	Options twinplatform.Optional[JobOptions] `json:"options,omitzero"`
	// null for none
	CostEstimationParameters twinplatform.Optional[JobCostParameters] `json:"costEstimationParameters,omitzero"`
}

// JobQuery selects the jobs to list. What is empty does not narrow the list.
type JobQuery struct {
	twinplatform.ListOptions
	TwinID string   // list the jobs of this twin
	State  JobState // list the jobs of this state
	Type   JobType  // list the jobs of this type
}

func (n *NewJob) check(c *problem.Checks, of JobService) {
	checkJobType(c, of, n.Type)
	checkJobName(c, n.Name)
	c.GivenText("twinId", n.TwinID)
	if c.Given("inputs", len(n.Inputs) > 0) && len(n.Inputs) > MaxJobInputs {
		c.Bad("inputs", "A job has at most %d inputs.", MaxJobInputs)
	}
	for i, in := range n.Inputs {
		c.At("inputs", i)
		if c.GivenText("id", in.ID) && slices.Contains(n.Inputs[:i], in) {
			c.Bad("id", "The input '%s' is given twice.", in.ID)
		}
		c.At("", 0)
	}
	if of == ConversionJobs {
		c.Given("outputs", len(n.Outputs) > 0)
	}
	if len(n.Outputs) > 1 {
		c.Bad("outputs", "A job makes one output.")
	}
	if of == AnalysisJobs && len(n.Outputs) == 1 && n.Outputs[0] != resultType {
		c.Bad("outputs", "The output of an analysis is '%s'.", resultType)
	}
	n.Options.check(c, "options")
	if n.CostEstimationParameters != nil {
		n.CostEstimationParameters.check(c, "costEstimationParameters")
	}
}

func checkJobName(c *problem.Checks, name string) {
	if c.Given("name", strings.TrimSpace(name) != "") {
		plainLine(MaxName)(c, "name", name)
	}
}

func checkJobType(c *problem.Checks, of JobService, t JobType) {
	if !c.Given("type", t != "") || slices.Contains(jobTypes[of], t) {
		return
	}
	var known []string
	for _, k := range jobTypes[of] {
		known = append(known, "'"+string(k)+"'")
	}
	c.Bad("type", "This platform does not run jobs of the type '%s': it runs %s.", t, strings.Join(known, " and "))
}

func (o JobOptions) check(c *problem.Checks, name string) {
	if o.Merge {
		c.Bad(name+".merge", "This platform merges no files.")
	}
	c.Within(name+".processingEngines", float64(o.ProcessingEngines), 0, MaxJobEngines)
}

func (p *JobCostParameters) check(c *problem.Checks, name string) {
	c.Quantity(name+".gigaPixels", p.GigaPixels)
	c.Quantity(name+".megaPoints", p.MegaPoints)
}

func describeJobs(b *schema.Book) {
	schema.Enum(b, jobStates)
	schema.Enum(b, slices.Concat(jobTypes[ConversionJobs], jobTypes[AnalysisJobs]))
	schema.Has[Job](b, schema.Person("ownerId"))
	schema.Has[JobInput](b, schema.Refers("id", "reality-data"))
	b.Has(reflect.TypeFor[JobInput](), schema.Need("id", schema.Value{MinLength: 1}))
	b.Has(reflect.TypeFor[JobOptions](), schema.May("processingEngines", schema.Range(0, MaxJobEngines)))
	b.Has(reflect.TypeFor[JobPatch](),
		schema.Stays("name", schema.Filled.And(schema.AtMost(MaxName))), schema.Stays("state",
			schema.Words(jobStatesToSet)))
}

// DescribeNewJob declares for a type of bodies, which is NewJob or embeds it, what a service
// requires of the members, for the OpenAPI document of package httpapi.
func DescribeNewJob(b *schema.Book, body reflect.Type, of JobService) {
	outputs := schema.Need("outputs", schema.List(1, 1, schema.Value{}))
	if of == AnalysisJobs {
		outputs = schema.May("outputs", schema.List(0, 1, schema.Words([]string{resultType})))
	}
	b.Has(body,
		schema.Need("type", schema.Words(jobTypes[of])), schema.NeedText("name", MaxName), schema.Need("twinId",
			schema.Value{MinLength: 1}),
		schema.Need("inputs", schema.List(1, MaxJobInputs, schema.Value{})), outputs)
}

var jobsInWorld = entity.Keeps(&jobRecords, entity.NotInWorld("a job is what becomes of other data, and ends"))

// ContainerFiles is what Containers may be besides: jobs read and write files through it.
type ContainerFiles interface {
	// ListFiles calls yield with the files of a container whose names come behind one, in
	// an order that stays, until it returns false.
	ListFiles(ctx context.Context, containerID, after string, yield func(name string, size int64) bool) error
	// OpenFile opens a file for reading.
	OpenFile(ctx context.Context, containerID, name string) (file io.ReadCloser, err error)
	// WriteFile writes a file, in place of another that may be there, whole or not at
	// all. The bytes are those of an account.
	WriteFile(ctx context.Context, containerID, accountID, name string, content io.Reader) error
}
