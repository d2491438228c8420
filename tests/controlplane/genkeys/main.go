// genkeys writes the key material of one test control plane.
//
//	genkeys -dir DIR [-user NAME[:GROUP...]]...
//
// It makes a CA (ca.crt), the apiserver's serving certificate for 127.0.0.1, ::1 and
// localhost (serving.crt, serving.key), the service account pair (sa.key, sa.pub) and for
// each -user a client certificate (client-NAME.crt, client-NAME.key).
package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"flag"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type users []string

func (u *users) String() string         { return strings.Join(*u, ",") }
func (u *users) Set(value string) error { *u = append(*u, value); return nil }

func main() {
	var clients users
	dir := flag.String("dir", "", "directory to write to")
	flag.Var(&clients, "user", "NAME[:GROUP...] of a client certificate; repeatable")
	flag.Parse()
	if err := run(*dir, clients); err != nil {
		fmt.Fprintln(os.Stderr, "genkeys:", err)
		os.Exit(1)
	}
}

func run(dir string, clients users) error {
	if dir == "" {
		return fmt.Errorf("-dir is required")
	}
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	ca := template("informerd test CA", nil)
	ca.IsCA = true
	ca.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	caDER, err := x509.CreateCertificate(rand.Reader, ca, ca, caKey.Public(), caKey)
	if err != nil {
		return err
	}
	if err := writePEM(dir, "ca.crt", "CERTIFICATE", caDER); err != nil {
		return err
	}

	serving := template("kube-apiserver", nil)
	serving.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	serving.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	serving.DNSNames = []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"}
	if err := issue(dir, "serving", serving, ca, caKey); err != nil {
		return err
	}

	for _, client := range clients {
		parts := strings.Split(client, ":")
		certificate := template(parts[0], parts[1:])
		certificate.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
		if err := issue(dir, "client-"+parts[0], certificate, ca, caKey); err != nil {
			return err
		}
	}

	// Service account tokens are signed with RSA, the algorithm every client understands.
	sa, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(sa.Public())
	if err != nil {
		return err
	}
	if err := writePEM(dir, "sa.pub", "PUBLIC KEY", public); err != nil {
		return err
	}
	return writePEM(dir, "sa.key", "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(sa))
}

func template(name string, groups []string) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		panic(err) // The system's random source failed; there is nothing to recover.
	}
	return &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: name, Organization: groups},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(30 * 24 * time.Hour),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		BasicConstraintsValid: true,
	}
}

func issue(dir, name string, certificate, ca *x509.Certificate, caKey crypto.Signer) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.CreateCertificate(rand.Reader, certificate, ca, key.Public(), caKey)
	if err != nil {
		return err
	}
	if err := writePEM(dir, name+".crt", "CERTIFICATE", der); err != nil {
		return err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return writePEM(dir, name+".key", "PRIVATE KEY", keyDER)
}

func writePEM(dir, name, kind string, der []byte) error {
	data := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	return os.WriteFile(filepath.Join(dir, name), data, 0o600)
}
