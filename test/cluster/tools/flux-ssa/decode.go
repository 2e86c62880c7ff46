package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	helm "github.com/fluxcd/helm-controller/api/v2"
	kustomize "github.com/fluxcd/kustomize-controller/api/v1"
	source "github.com/fluxcd/source-controller/api/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// kinds are those of Flux that decode knows, by apiVersion and kind.
var kinds = map[string]func() any{
	kustomize.GroupVersion.String() + " Kustomization": func() any { return &kustomize.Kustomization{} },
	helm.GroupVersion.String() + " HelmRelease":        func() any { return &helm.HelmRelease{} },
	source.GroupVersion.String() + " GitRepository":    func() any { return &source.GitRepository{} },
	source.GroupVersion.String() + " HelmRepository":   func() any { return &source.HelmRepository{} },
	source.GroupVersion.String() + " OCIRepository":    func() any { return &source.OCIRepository{} },
}

// decode reads objects of Flux as Flux's own types; a field that they do not have is an error.
func decode(in io.Reader) error {
	objects := json.NewDecoder(in)
	for {
		var text json.RawMessage
		if err := objects.Decode(&text); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var object unstructured.Unstructured
		if err := object.UnmarshalJSON(text); err != nil {
			return err
		}
		kind := object.GetAPIVersion() + " " + object.GetKind()
		construct, known := kinds[kind]
		if !known {
			return fmt.Errorf("%s: not a kind of Flux that is known here", kind)
		}
		strict := json.NewDecoder(bytes.NewReader(text))
		strict.DisallowUnknownFields()
		if err := strict.Decode(construct()); err != nil {
			return fmt.Errorf("%s %s: %w", kind, object.GetName(), err)
		}
	}
}
