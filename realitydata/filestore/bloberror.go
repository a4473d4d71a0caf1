package filestore

import (
	"encoding/xml"
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

func unsupportedParam(name string) error {
	return &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "UnsupportedQueryParameter",
		Message: "The query parameter " + name + " is not supported with this value for this request.", Target: name,
	}
}

// copySource begins the headers of requests that copy a file from an address.
const copySource = "x-ms-copy-source"

func unsupportedHeader(name string) error {
	name = strings.ToLower(name)
	message := "The header " + name + " is not supported with this value for this request."
	if strings.HasPrefix(name, copySource) {
		message = "Files are not copied from an address (" + name + "). Read the file, and write it here."
	}
	return &twinplatform.Error{Kind: twinplatform.Invalid, Code: "UnsupportedHeader", Message: message, Target: name}
}

func badHeader(name string) error {
	return &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "InvalidHeaderValue",
		Message: "The header " + strings.ToLower(name) +
			" has a value that is not valid.", Target: strings.ToLower(name),
	}
}

// blobRefusal is a failure that only the blob protocol has.
func blobRefusal(status int, code, message string) error {
	return refusal{status, &twinplatform.Error{Kind: twinplatform.Invalid, Code: code, Message: message}}
}

var (
	errCondition = blobRefusal(http.StatusPreconditionFailed, "ConditionNotMet",
		"A condition of the request does not hold.")
	errNotModified = blobRefusal(http.StatusNotModified, "ConditionNotMet", "The file was not modified.")
	errThere       = blobRefusal(http.StatusConflict, "BlobAlreadyExists", "The file is there already.")
	errRange       = blobRefusal(http.StatusRequestedRangeNotSatisfiable, "InvalidRange",
		"The range begins behind the end of the file.")
	errSum      = blobRefusal(http.StatusBadRequest, "InvalidMd5", "An MD5 sum is 16 bytes in base64.")
	errOtherMD5 = blobRefusal(http.StatusBadRequest, "Md5Mismatch",
		"The bytes have another MD5 sum than the request says.")
	errBlockID = blobRefusal(http.StatusBadRequest, "InvalidBlockId",
		"The id of a block is 1 to 64 bytes in base64.")
	errBlockLength = blobRefusal(http.StatusBadRequest, "InvalidBlobOrBlock",
		"The ids of the blocks of a file are equally long.")
	errNoBlock    = blobRefusal(http.StatusBadRequest, "InvalidBlockList", "A block of the list is not there.")
	errManyBlocks = blobRefusal(http.StatusBadRequest, "BlockListTooLong", "A list has at most 50,000 blocks.")
	errXML        = blobRefusal(http.StatusBadRequest, "InvalidXmlDocument",
		"The body is no list of blocks in XML.")
	errNotHere = blobRefusal(http.StatusNotImplemented, "NotImplemented",
		"The storage of this platform does not support this request.")
	errMetadata = blobRefusal(http.StatusBadRequest, "InvalidMetadata",
		"Metadata have names of letters, digits and _, and values in ASCII.")
	errMuchMetadata = blobRefusal(http.StatusBadRequest, "MetadataTooLarge",
		"The metadata of a file have at most 8 KiB.")
	errOutOfRange = blobRefusal(http.StatusBadRequest, "OutOfRangeQueryParameterValue",
		"A parameter of the list has a value that it cannot have.")
	errContainerThere = blobRefusal(http.StatusConflict, "ContainerAlreadyExists", "The container is there already.")
	errReadOnly       = blobRefusal(http.StatusForbidden, "AuthorizationPermissionMismatch",
		"The address is for reading alone. Ask for one for writing.")
	errOtherCRC = blobRefusal(http.StatusBadRequest, "Crc64Mismatch",
		"The bytes have another CRC-64 sum than the request says.")
)

// blobFailures are the names that the blob protocol has for failures, by the platform's, and
// the status where that is another.
var blobFailures = map[string]struct {
	code   string
	status int
}{
	"AddressNotValid":     {"AuthenticationFailed", 0},
	"FileNotFound":        {"BlobNotFound", 0},
	"RealityDataNotFound": {"ContainerNotFound", 0},
	"InvalidFileName":     {"InvalidResourceName", http.StatusBadRequest},
	"InvalidRequestBody":  {"IncompleteBody", 0},
	"MethodNotAllowed":    {"UnsupportedHttpVerb", 0},
	"RequestTooLarge":     {"RequestBodyTooLarge", 0},
	"RequestTimeout":      {"OperationTimedOut", 0},
	"RateLimitExceeded":   {"ServerBusy", http.StatusServiceUnavailable}, // its clients come again for no other
	"StorageUnavailable":  {"ServerBusy", 0},
}

// blobError is the body of a failure in the blob protocol.
type blobError struct {
	XMLName xml.Name `xml:"Error"`
	Code    string
	Message string
	// What is not understood.
	Query  string `xml:"QueryParameterName,omitempty"`
	Header string `xml:"HeaderName,omitempty"`
}

func newBlobError(e *twinplatform.Error, code string) blobError {
	shown := blobError{Code: code, Message: e.Message}
	switch code {
	case "UnsupportedQueryParameter":
		shown.Query = e.Target
	case "UnsupportedHeader", "InvalidHeaderValue":
		shown.Header = e.Target
	}
	return shown
}

// failBlob answers a failure in the words of the blob protocol.
func failBlob(w http.ResponseWriter, r *http.Request, e *twinplatform.Error, status int) {
	code := e.Code
	if f, ok := blobFailures[code]; ok {
		code = f.code
		if f.status != 0 {
			status = f.status
		}
	}
	header := w.Header()
	header.Set("X-Ms-Error-Code", code)
	if status == http.StatusNotModified {
		header.Del("Content-Type")
		w.WriteHeader(status)
		return
	}
	header.Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	body, err := xml.Marshal(newBlobError(e, code))
	if err != nil {
		panic(err) // strings alone always encode
	}
	_, _ = w.Write(append([]byte(xml.Header), body...))
}
