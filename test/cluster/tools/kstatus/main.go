// Prints what kstatus, the library by which Flux, Helm and kpt read readiness, says about objects: JSON objects in on standard input, one
// JSON line out for each, in their order.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// verdict is one line of the output.
type verdict struct {
	Status  status.Status `json:"status"`
	Message string        `json:"message"`
}

func main() {
	if err := judge(json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func judge(in *json.Decoder, out *json.Encoder) error {
	for {
		var object unstructured.Unstructured
		if err := in.Decode(&object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		result, err := status.Compute(&object)
		if err != nil {
			return fmt.Errorf("%s: %w", object.GetName(), err)
		}
		if err := out.Encode(verdict{result.Status, result.Message}); err != nil {
			return err
		}
	}
}
